import { findVersion, type VersionRow, type VersionSummaryRow } from '../../../../db/pse/versions.js'
import type { Db } from '../../../../db/index.js'
import { NotFound } from '../../../../schemas/errors.js'
import type { SpecVersion, SpecVersionSummary } from '../../../../schemas/pse/versions.js'
import { readSession } from './change-session.js'
import { NoVersion } from '../errors.js'

export const describeVersionSummary = (row: VersionSummaryRow): SpecVersionSummary => {
  const { standards: _, ...summary } = row
  return summary
}

export const describeVersion = (row: VersionRow): SpecVersion => {
  const { standards: _, engine: __, requirements: ___, open_questions: ____, ...rest } = row
  return rest
}

/** @returns the version, by default the current one @throws not_found, no_version */
export const readVersion = async (db: Db, workspaceId: string, sessionId: string, version?: number):
Promise<VersionRow> => {
  const session = await readSession(db, workspaceId, sessionId)
  const requested = version ?? session.current_version
  if (requested === null) throw NoVersion()
  const row = await findVersion(db, workspaceId, sessionId, requested)
  if (!row) throw NotFound()
  return row
}
