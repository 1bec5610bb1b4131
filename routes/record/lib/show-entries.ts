import type { Db } from '../../../db/index.js'
import type { CheckpointRow } from '../../../db/record/checkpoints.js'
import { type EntryFilter, type EntryRow, queryOf, findEntry, listWrite } from '../../../db/record/entries.js'
import type { Checkpoint } from '../../../lib/record/checkpoint.js'
import { type Entry, asTarget, wordsOf } from '../../../lib/record/entry.js'
import type { AuditEntry, ListAudit, WriteAccount } from '../../../schemas/record/entries.js'
import { textIn } from '../../../schemas/unknown.js'
import { WriteNotFound } from './errors.js'

export const showEntry = ({ workspace_id: _, ...row }: EntryRow): AuditEntry => row

/** @returns the entry as it was hashed */
export const toEntry = (row: EntryRow): Entry => ({ type: 'entry', ...row, at: row.at.toISOString() })

export const toCheckpoint = ({ public_key: _, ...row }: CheckpointRow): Checkpoint =>
  // Rows are signed statements of this version.
  ({ type: 'checkpoint', version: 1, ...row, at: row.at.toISOString() })

type Filters = Omit<ListAudit, 'limit' | 'cursor'>

/** @returns what the database looks for */
export const toFilter = ({ target, q, ...rest }: Filters): EntryFilter => {
  const targets = target === undefined ? [] : wordsOf(target).map(asTarget)
  const words = q === undefined ? [] : wordsOf(q)
  const query = [queryOf(targets, true), queryOf(words, false)].filter(Boolean).join(' & ')
  // Of a text without a word, such as `~`, nothing is found.
  const isAsked = target !== undefined || q !== undefined
  return { ...rest, ...(isAsked && { words: query === '' ? '\'zt\'' : query }) }
}

/** @throws write_not_found */
export const readWrite = async (db: Db, workspaceId: string, writeId: string): Promise<WriteAccount> => {
  const rows = await listWrite(db, workspaceId, writeId)
  if (rows.length === 0) throw WriteNotFound()
  // The entry of what began a run has the run's id.
  const runId = rows.map(({ body }) => textIn(body, 'run_id')).find((id) => id !== undefined)
  const began = runId === undefined ? undefined : await findEntry(db, workspaceId, runId)
  return { write_id: writeId.toLowerCase(), entries: rows.map(showEntry), began_by: began ? showEntry(began) : null }
}
