import type { VersionRow } from '../../../../db/pse/versions.js'
import type { Db } from '../../../../db/index.js'
import { InvalidRequest } from '../../../../schemas/errors.js'
import type { ResolvedStandard, SpecDocument } from 'steward-spec-engine/schemas'
import type { ExportInput } from '../../../../schemas/pse/versions.js'
import type { ExportFile, Settled } from 'steward-spec-engine/export'
import { renderFiles, type Rendering } from '../export/render.js'
import { readVersion } from './read-version.js'
import { resolveStandards } from '../standards/resolve-standards.js'

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
