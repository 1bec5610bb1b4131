import type { ResolvedStandard, SpecDocument } from 'steward-spec-engine/schemas'
import {
  type ExportFile, type Settled, renderWithAppendix, slugOf, toKiro, toOpenSpec, toSarif, toSpecKit
} from 'steward-spec-engine/export'
import type { Db } from '../../../../db/index.js'
import type { VersionRow } from '../../../../db/pse/versions.js'
import { InvalidRequest } from '../../../../schemas/errors.js'
import type { ExportInput, ExportLayout } from '../../../../schemas/pse/versions.js'
import { resolveStandards } from '../standards/resolve-standards.js'
import { readVersion } from './read-version.js'

interface Rendering {
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
const renderFiles = (
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

interface SessionKey { workspace_id: string, session_id: string }
type Version = { version: number, document: SpecDocument, settled_version: number | null } &
  Pick<VersionRow, 'session_id' | 'checks'>
type Input = Pick<ExportInput, 'layout' | 'from' | 'feature_number'>

const fromNotAllowed = () => {
  const message = 'is only for the layout openspec, which lists what has changed'
  return InvalidRequest(`/from ${message}`, { errors: [{ pointer: '/from', code: 'invalid', message }] })
}

/** @returns the versions that were approved or imported before, oldest first */
const readSettled = async (from: number | null, read: (version: number) => Promise<Version>): Promise<Settled[]> => {
  const found: Settled[] = []
  for (let next = from; next;) {
    const { version, document, settled_version: before } = await read(next)
    found.unshift({ version, document })
    next = before
  }
  return found
}

/** @param read reads another version of the same spec @throws invalid_request, what `read` throws */
export const renderVersion = async (made: Version, { layout, from, feature_number: feature }: Input,
  read: (version: number) => Promise<Version>, isOneChange = false, standards: readonly ResolvedStandard[] = []):
Promise<ExportFile[]> => {
  if (from !== undefined && layout !== 'openspec') throw fromNotAllowed()
  const settled = layout === 'openspec' ? await readSettled(from ?? made.settled_version, read) : []
  const rendering: Rendering = {
    layout, settled, standards, isOneChange, ...(feature !== undefined && { feature })
  }
  return renderFiles(made, rendering)
}

const carriesStandards = ({ layout }: Input): boolean => layout === 'spec-kit' || layout === 'kiro'

/**
 * The export contains the standards, except for a pull request, which must not replace the project's constitution.
 * @throws not_found, no_version, invalid_request
 */
export const exportVersion = async (db: Db, { workspace_id, session_id }: SessionKey, input: ExportInput,
  isOneChange = false): Promise<{ row: VersionRow, files: ExportFile[] }> => {
  const read = (version?: number) => readVersion(db, workspace_id, session_id, version)
  const row = await read(input.version)
  const standards = carriesStandards(input) && !isOneChange
    ? await resolveStandards(db, workspace_id, row.standards)
    : []
  return { row, files: await renderVersion(row, input, read, isOneChange, standards) }
}
