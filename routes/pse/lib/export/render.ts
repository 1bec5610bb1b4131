import type { VersionRow } from '../../../../db/pse/versions.js'
import type { ExportLayout } from '../../../../schemas/pse/versions.js'
import type { ExportFile } from './files.js'
import { toKiro } from './kiro.js'
import { renderMarkdown } from './markdown.js'
import { toOpenSpec, type Settled } from './openspec/change.js'
import { toSpecKit } from './spec-kit.js'
import { slugOf } from './text.js'

export interface Rendering {
  layout: ExportLayout
  /** What was agreed on before, the oldest first: OpenSpec's layout tells what has changed since. */
  settled: readonly Settled[]
  /** All into one folder that a newer version can take the place of. */
  isOneChange?: boolean
}

/** @returns the files of a version in a layout; pure functions of documents and checks */
export const renderFiles = ({ document, checks }: Pick<VersionRow, 'document' | 'checks'>,
  { layout, settled, isOneChange = false }: Rendering): ExportFile[] => {
  const name = slugOf(document.title)
  switch (layout) {
    case 'markdown': return [{ path: `${name}.md`, content: renderMarkdown(document) }]
    case 'json': return [{ path: `${name}.json`, content: JSON.stringify(document) }]
    case 'spec-kit': return toSpecKit(document, checks)
    case 'kiro': return toKiro(document)
    case 'openspec': return toOpenSpec(document, settled, !isOneChange)
  }
}
