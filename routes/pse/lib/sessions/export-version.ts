import type { ResolvedStandard, SpecDocument } from 'steward-spec-engine/schemas'
import {
  type ExportFile, type Settled, renderWithAppendix, slugOf, toKiro, toOpenSpec, toSarif, toSpecKit
} from 'steward-spec-engine/export'
import type { GivenLayout, WrittenBack } from 'steward-spec-engine/import'
import type { Db } from '../../../../db/index.js'
import type { VersionRow } from '../../../../db/pse/versions.js'
import { InvalidRequest } from '../../../../schemas/errors.js'
import type { ExportInput, ExportLayout } from '../../../../schemas/pse/versions.js'
import { runInProcess } from '../process/run-in-process.js'
import { readSources } from '../read-material.js'
import { resolveStandards } from '../standards/resolve-standards.js'
import { readVersion } from './read-version.js'

interface Rendering {
  layout: ExportLayout
  /** The versions approved or imported before, oldest first; the openspec layout lists the changes since. */
  settled: readonly Settled[]
  /** The version's standards, for layouts that contain them. */
  standards: readonly ResolvedStandard[]
  /** Puts all deltas into one folder, which a newer version replaces. */
  isOneChange: boolean
  /** spec-kit: the feature's number in the repository. */
  feature: number | undefined
  /** The files that the spec was imported from, as they are now. */
  given: WrittenBack | undefined
}

const folder = /^(?:\.kiro\/specs|specs)\/[^/]+\//
const whole = /\/(?:spec|requirements)\.md$|\.config\.kiro$/

/** The files of an import as they are now, and beside them those that its folder does not have. */
const besideGiven = ({ files }: WrittenBack, made: readonly ExportFile[]): ExportFile[] => {
  const paths = new Set(files.map(({ path }) => path))
  const [home = ''] = /^.*\//.exec(files.find(({ path }) => whole.test(path))?.path ?? '') ?? []
  const others = made.filter(({ path }) => !whole.test(path)).map(({ path, content }) => ({ path: path.replace(folder, home), content }))
  return [...files, ...others.filter(({ path }) => !paths.has(path))]
}

/** @returns the files of a version in a layout; a pure function of documents, checks and the files of an import */
const renderFiles = (
  { session_id: id, document, checks }: Pick<VersionRow, 'session_id' | 'document' | 'checks'>,
  { layout, settled, standards, isOneChange, feature = 1, given }: Rendering): ExportFile[] => {
  const name = slugOf(document.title)
  const beside = (made: ExportFile[]) => given ? besideGiven(given, made) : made
  switch (layout) {
    case 'markdown': return [{ path: `${name}.md`, content: renderWithAppendix(document, checks) }]
    case 'json': return [{ path: `${name}.json`, content: JSON.stringify(document) }]
    case 'spec-kit': return beside(toSpecKit(document, standards, feature))
    case 'kiro': return beside(toKiro(document, standards, id))
    case 'openspec': return given && settled.length === 0
      ? given.files
      : toOpenSpec(document, settled, !isOneChange, new Map(given?.homes))
    case 'sarif':
      return [{ path: `${name}.sarif`, content: toSarif(checks, `${name}.md`, renderWithAppendix(document, checks)) }]
  }
}

interface SessionKey { workspace_id: string, session_id: string }

const fromNotAllowed = () => {
  const message = 'is only for the layout openspec, which lists what has changed'
  return InvalidRequest(`/from ${message}`, { errors: [{ pointer: '/from', code: 'invalid', message }] })
}

/** @returns the versions that were approved or imported before, oldest first */
const readSettled = async (from: number | null, read: (version: number) => Promise<VersionRow>): Promise<Settled[]> => {
  const found: Settled[] = []
  for (let next = from; next;) {
    const { version, document, settled_version: before } = await read(next)
    found.unshift({ version, document })
    next = before
  }
  return found
}

const isGivenLayout = (layout: ExportLayout): layout is GivenLayout & ExportLayout =>
  layout === 'spec-kit' || layout === 'kiro' || layout === 'openspec'

/** Only what was imported from files has files to be written back. */
const readGiven = async (db: Db, { workspace_id, session_id, inputs_seq, document }: SessionKey &
  { inputs_seq: number, document: SpecDocument }, layout: ExportLayout): Promise<WrittenBack | undefined> => {
  if (!isGivenLayout(layout) || document.engine.name !== 'import') return undefined
  return runInProcess('writeBack', document, await readSources(db, workspace_id, session_id, inputs_seq), layout)
}

/**
 * The export contains the standards, except for a pull request, which must not replace the project's constitution.
 * @throws not_found, no_version, invalid_request, overloaded
 */
export const exportVersion = async (db: Db, { workspace_id, session_id }: SessionKey, input: ExportInput):
Promise<{ row: VersionRow, files: ExportFile[] }> => {
  const { layout, from, feature_number: feature, for_pull: isOneChange = false } = input
  const read = (version?: number) => readVersion(db, workspace_id, session_id, version)
  const row = await read(input.version)
  if (from !== undefined && layout !== 'openspec') throw fromNotAllowed()
  const settled = layout === 'openspec' ? await readSettled(from ?? row.settled_version, read) : []
  const standards = (layout === 'spec-kit' || layout === 'kiro') && !isOneChange
    ? await resolveStandards(db, workspace_id, row.standards)
    : []
  const given = from === 0 ? undefined : await readGiven(db, { workspace_id, ...row }, layout)
  return { row, files: renderFiles(row, { layout, settled, standards, isOneChange, feature, given }) }
}
