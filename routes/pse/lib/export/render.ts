import type { VersionRow } from '../../../../db/pse/versions.js'
import type { ResolvedStandard } from 'steward-spec-engine/schemas'
import type { ExportLayout } from '../../../../schemas/pse/versions.js'
import {
  type ExportFile, renderWithAppendix, type Settled, slugOf, toKiro, toOpenSpec, toSarif, toSpecKit
} from 'steward-spec-engine/export'

export interface Rendering {
  layout: ExportLayout
  /** The versions approved or imported before, oldest first; the openspec layout lists the changes since. */
  settled: readonly Settled[]
  /** The version's standards, for layouts that contain them. */
  standards?: readonly ResolvedStandard[]
  /** Puts all deltas into one folder, which a newer version replaces. */
  isOneChange?: boolean
  /** spec-kit: the feature's number in the repository. */
  feature?: number
}

/** @returns the files of a version in a layout; a pure function of documents and checks */
export const renderFiles = (
  { session_id: id, document, checks }: Pick<VersionRow, 'session_id' | 'document' | 'checks'>,
  { layout, settled, standards = [], isOneChange = false, feature = 1 }: Rendering): ExportFile[] => {
  const name = slugOf(document.title)
  switch (layout) {
    case 'markdown': return [{ path: `${name}.md`, content: renderWithAppendix(document, checks) }]
    case 'json': return [{ path: `${name}.json`, content: JSON.stringify(document) }]
    case 'spec-kit': return toSpecKit(document, checks, standards, feature)
    case 'kiro': return toKiro(document, standards, id)
    case 'openspec': return toOpenSpec(document, settled, !isOneChange)
    case 'sarif':
      return [{ path: `${name}.sarif`, content: toSarif(checks, `${name}.md`, renderWithAppendix(document, checks)) }]
  }
}
