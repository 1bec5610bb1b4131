import { findGeneration } from '../../../db/pse/generations.js'
import { findVersion } from '../../../db/pse/versions.js'
import type { Db } from '../../../db/index.js'
import { NotFound } from '../../../schemas/errors.js'
import { describeGeneration } from './describe-generation.js'
import { describeVersion } from './read-version.js'

/** @returns a generation, and the version that it made if it did. @throws not_found */
export const readGenerated = async (db: Db, workspaceId: string, sessionId: string, id: string) => {
  const row = await findGeneration(db, workspaceId, sessionId, id)
  if (!row) throw NotFound()
  const { result_version: version } = row
  const made = version === null ? undefined : await findVersion(db, workspaceId, sessionId, version)
  return { generation: await describeGeneration(db, row), spec: made ? describeVersion(made) : null }
}
