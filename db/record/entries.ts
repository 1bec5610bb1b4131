import { sql } from 'kysely'
import type { Db } from '../index.js'
import type { AuditKind } from '../types.js'

const columns = ['workspace_id', 'seq', 'id', 'at', 'kind', 'write_id', 'operation', 'target', 'outcome', 'status',
  'user_id', 'via', 'via_id', 'remote_address', 'request_id', 'body', 'previous', 'hash'] as const

const select = (db: Db, workspaceId: string) =>
  db.selectFrom('audit_entry').select(columns).where('workspace_id', '=', workspaceId)

export interface EntryFilter {
  user_id?: string | undefined
  operation?: string | undefined
  outcome?: string | undefined
  kind?: AuditKind | undefined
  since?: string | Date | undefined
  until?: string | Date | undefined
  /** A query as PostgreSQL writes it; see `queryOf`. */
  words?: string | undefined
}

/**
 * @param exact false: words that begin so
 * @returns the query for entries with all of these words, which are letters and digits and need no escape
 */
export const queryOf = (words: readonly string[], exact: boolean): string =>
  words.map((word) => exact ? `'${word}'` : `'${word}':*`).join(' & ')

const filtered = (db: Db, workspaceId: string, filter: EntryFilter) => {
  const { user_id, operation, outcome, kind, since, until, words } = filter
  return select(db, workspaceId)
    .$if(user_id !== undefined, (query) => query.where('user_id', '=', user_id ?? ''))
    .$if(operation !== undefined, (query) => query.where('operation', '=', operation ?? ''))
    .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome ?? ''))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'direct'))
    .$if(since !== undefined, (query) => query.where('at', '>=', sql<Date>`${since}::timestamptz`))
    .$if(until !== undefined, (query) => query.where('at', '<', sql<Date>`${until}::timestamptz`))
    .$if(words !== undefined, (query) => query.where(sql<boolean>`words @@ ${words}::tsquery`))
}

/** @returns the newest entries that fit, before a number */
export const listEntries = (db: Db, workspaceId: string, filter: EntryFilter, before: number | undefined,
  limit: number) =>
  filtered(db, workspaceId, filter)
    .$if(before !== undefined, (query) => query.where('seq', '<', before ?? 0))
    .orderBy('seq', 'desc').limit(limit).execute()

export type EntryRow = Awaited<ReturnType<typeof listEntries>>[number]

/** @returns the entries that fit and come after a number, up to another, in their order */
export const listEntriesAfter = (db: Db, workspaceId: string, filter: EntryFilter, after: number, upTo: number,
  limit: number): Promise<EntryRow[]> =>
  filtered(db, workspaceId, filter).where('seq', '>', after).where('seq', '<=', upTo)
    .orderBy('seq').limit(limit).execute()

/** A write has few entries; one that is asked about again and again has many. */
const mostOfWrite = 500

/** @returns all that is recorded of one write, in the order in which it happened */
export const listWrite = (db: Db, workspaceId: string, writeId: string): Promise<EntryRow[]> =>
  select(db, workspaceId).where('write_id', '=', writeId).orderBy('seq').limit(mostOfWrite).execute()

/** @returns the entry with this id */
export const findEntry = (db: Db, workspaceId: string, id: string): Promise<EntryRow | undefined> =>
  select(db, workspaceId).where('id', '=', id).executeTakeFirst()

/** Removes entries up to a number, some at a time. @returns how many */
export const removeEntries = async (trx: Db, workspaceId: string, upTo: number, limit: number): Promise<number> => {
  const some = trx.selectFrom('audit_entry').select('seq').where('workspace_id', '=', workspaceId)
    .where('seq', '<=', upTo).orderBy('seq').limit(limit)
  const { numDeletedRows } = await trx.deleteFrom('audit_entry').where('workspace_id', '=', workspaceId)
    .where('seq', 'in', some).executeTakeFirst()
  return Number(numDeletedRows)
}
