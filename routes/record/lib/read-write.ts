import { findEntry, listWrite } from '../../../db/record/entries.js'
import type { Db } from '../../../db/index.js'
import type { WriteAccount } from '../../../schemas/record/entries.js'
import { textIn } from '../../../schemas/unknown.js'
import { WriteNotFound } from './errors.js'
import { showEntry } from './show-entries.js'

/** @throws write_not_found */
export const readWrite = async (db: Db, workspaceId: string, writeId: string): Promise<WriteAccount> => {
  const rows = await listWrite(db, workspaceId, writeId)
  if (rows.length === 0) throw WriteNotFound()
  // The entry of what began a run has the run's id.
  const runId = rows.map(({ body }) => textIn(body, 'run_id')).find((id) => id !== undefined)
  const began = runId === undefined ? undefined : await findEntry(db, workspaceId, runId)
  return { write_id: writeId.toLowerCase(), entries: rows.map(showEntry), began_by: began ? showEntry(began) : null }
}
