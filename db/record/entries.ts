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

/** Each filter is met by some entry of the write: one has who decided, another how it ended. */
const hasEntry = (db: Db, workspaceId: string, filter: EntryFilter) =>
  filtered(db, workspaceId, filter).clearSelect().select('write_id')

/**
 * @returns the newest entry of each write that fits, before a number: those that happened last come first, and a write
 *   moves up when an entry is added
 */
export const listWrites = (db: Db, workspaceId: string, filter: EntryFilter, before: number | undefined,
  limit: number) => {
  const { since, until, ...others } = filter
  // One statement for each combination of filters would be many, so each is a condition of its own.
  const conditions = Object.entries(others).filter(([, value]) => value !== undefined)
  return db.selectFrom('audit_entry as last').select(['last.seq', 'last.write_id'])
    .where('last.workspace_id', '=', workspaceId)
    .$if(before !== undefined, (query) => query.where('last.seq', '<', before ?? 0))
    .$if(since !== undefined, (query) => query.where('last.at', '>=', sql<Date>`${since}::timestamptz`))
    .$if(until !== undefined, (query) => query.where('last.at', '<', sql<Date>`${until}::timestamptz`))
    .where((where) => where.and(conditions.map(([name, value]) =>
      where('last.write_id', 'in', hasEntry(db, workspaceId, { [name]: value })))))
    .where((where) => where.not(where.exists(where.selectFrom('audit_entry as newer').select('newer.seq')
      .where('newer.workspace_id', '=', workspaceId)
      .whereRef('newer.write_id', '=', 'last.write_id').whereRef('newer.seq', '>', 'last.seq'))))
    .orderBy('last.seq', 'desc').limit(limit).execute()
}

/** @returns the entries of these writes, in their order: of what they contain, only what says them in short */
export const listSteps = (db: Db, workspaceId: string, writeIds: readonly string[]) =>
  db.selectFrom('audit_entry')
    .select(['seq', 'at', 'kind', 'write_id', 'operation', 'target', 'outcome', 'status', 'user_id', 'via'])
    .select([
      sql<string | null>`body->'plan'->>'summary'`.as('summary'),
      sql<string | null>`body->>'decided_by'`.as('decided_by'),
      sql<string | null>`coalesce(body->>'reason', body->>'changes_requested')`.as('reason')
    ])
    .where('workspace_id', '=', workspaceId).where(sql<boolean>`write_id = any(${[...writeIds]}::uuid[])`)
    .orderBy('seq').limit(writeIds.length * mostOfWrite).execute()

export type StepRow = Awaited<ReturnType<typeof listSteps>>[number]

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
