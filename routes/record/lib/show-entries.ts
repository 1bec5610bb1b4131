import type { EntryFilter, EntryRow } from '../../../db/record/entries.js'
import { queryOf } from '../../../db/record/entries.js'
import type { CheckpointRow } from '../../../db/record/checkpoints.js'
import type { Checkpoint } from '../../../lib/record/checkpoint.js'
import type { Entry } from '../../../lib/record/entry.js'
import { asTarget, wordsOf } from '../../../lib/record/words.js'
import type { AuditEntry, ListAudit } from '../../../schemas/record/entries.js'

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
