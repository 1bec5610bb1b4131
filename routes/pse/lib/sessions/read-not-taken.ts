import type { VersionRow } from '../../../../db/pse/versions.js'
import type { Db } from '../../../../db/index.js'
import type { NotTakenPart } from 'steward-spec-engine/operations'
import type { NotTaken } from 'steward-spec-engine/schemas'
import { runInProcess } from '../process/run-in-process.js'
import { readSources } from '../read-material.js'

type Version = Pick<VersionRow, 'session_id' | 'inputs_seq' | 'document'>

/** Reads the inputs of a version again: they never change, and give the same list each time. */
export const readNotTaken = async (db: Db, workspaceId: string, version: Version, part: NotTakenPart):
Promise<NotTaken[]> => {
  const { session_id: sessionId, inputs_seq: upTo, document } = version
  const inputs = await readSources(db, workspaceId, sessionId, upTo)
  return runInProcess('notTaken', inputs, document, part)
}
