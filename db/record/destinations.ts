import { sql, type Updateable } from 'kysely'
import { v7 as uuid } from 'uuid'
import { clock, clockPlus, now, readClock, setOnce } from '../clock.js'
import { next } from '../columns.js'
import { dueRowsOf, leaseFor } from '../durable/due-rows.js'
import { isHeld } from '../durable/leases.js'
import type { Db } from '../index.js'
import type { AuditDeadLetterTable, AuditDestinationTable } from './tables.js'

const columns = ['workspace_id', 'id', 'name', 'kind', 'url', 'ca', 'sends', 'secret', 'enabled', 'off_reason',
  'position', 'checkpoint_position', 'attempts', 'failing_since', 'last_error', 'last_sent_at', 'next_attempt_at',
  'lease_epoch', 'revision', 'created_at', 'updated_at'] as const

const select = (db: Db, workspaceId: string) =>
  db.selectFrom('audit_destination').select(columns).where('workspace_id', '=', workspaceId)

export const listDestinations = (db: Db, workspaceId: string) => select(db, workspaceId).orderBy('id').execute()

export type DestinationRow = Awaited<ReturnType<typeof listDestinations>>[number]

export const findDestination = (db: Db, workspaceId: string, id: string): Promise<DestinationRow | undefined> =>
  select(db, workspaceId).where('id', '=', id).executeTakeFirst()

export const countDestinations = async (db: Db, workspaceId: string): Promise<number> =>
  (await db.selectFrom('audit_destination').select(sql<number>`count(*)`.as('count'))
    .where('workspace_id', '=', workspaceId).executeTakeFirstOrThrow()).count

export type NewDestination = Pick<AuditDestinationTable, 'id' | 'name' | 'kind' | 'url' | 'ca' | 'sends' | 'secret'> &
  { position: number, checkpoint_position: number }

export const insertDestination = async (db: Db, workspaceId: string, made: NewDestination): Promise<void> => {
  await db.insertInto('audit_destination').values({ ...made, workspace_id: workspaceId, next_attempt_at: now })
    .execute()
}

type Change =
  Pick<Updateable<AuditDestinationTable>, 'name' | 'url' | 'ca' | 'sends' | 'secret' | 'enabled' | 'off_reason'>

/** Whatever is changed may be what kept it from sending: it is tried at once. @returns whether it is there */
export const updateDestination = async (db: Db, workspaceId: string, id: string, change: Change): Promise<boolean> => {
  const { numUpdatedRows } = await db.updateTable('audit_destination')
    .set({ ...change, attempts: 0, next_attempt_at: clock, revision: next('revision'), updated_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** @returns whether there was one */
export const deleteDestination = async (db: Db, workspaceId: string, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db.deleteFrom('audit_destination')
    .where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** What was signed by a lost secret is not sent without: it is off until it has one again. */
export const forgetDestinationSecret = async (db: Db, workspaceId: string, id: string): Promise<void> => {
  await db.updateTable('audit_destination').set({ secret: null, enabled: false, off_reason: 'secret_lost' })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** There is something to send. @returns the destinations that send it */
export const wakeDestinations = (db: Db, workspaceId: string) => db.updateTable('audit_destination')
  // Whoever sends meanwhile holds the row: what it leaves is looked at again.
  .set({ next_attempt_at: sql<Date>`least(next_attempt_at, ${clock})` })
  .where('workspace_id', '=', workspaceId).where('enabled', '=', true)
  .where('attempts', '=', 0)
  .returning(['workspace_id', 'id']).execute()

const due = sql<boolean>`(enabled and next_attempt_at <= statement_timestamp()
  and (lease_until is null or lease_until < statement_timestamp()))`

export type ClaimedDestination = DestinationRow & { was: string }

const leaseSeconds = 120

export const dueDestinations = dueRowsOf<ClaimedDestination>({
  name: 'audit_destination',
  state: 'status',
  columns,
  isDue: due,
  isLate: due,
  onClaim: leaseFor(leaseSeconds),
  orderBy: 'next_attempt_at'
})

/** How far it has come. */
export interface Delivered { position: number, checkpoint_position: number }

/** Whether there is more to send than what the columns will say. */
const hasMore = ({ workspace_id: id, sends }: DestinationRow, { position, checkpoint_position }: Delivered) =>
  sql<boolean>`exists (select from audit_chain c where c.workspace_id = ${id} and (
    (${sends === 'all'}::boolean and c.seq > ${position}) or c.checkpoint_seq > ${checkpoint_position}))`

/** @returns whether there is more to send at once; undefined when another job holds it by now */
export const settleDelivered = async (db: Db, row: DestinationRow, done: Delivered): Promise<boolean | undefined> => {
  const at = await readClock(db)
  const hasMoved = row.position !== done.position || row.checkpoint_position !== done.checkpoint_position
  const found = await db.updateTable('audit_destination').set({
    ...done,
    attempts: 0,
    failing_since: null,
    last_error: null,
    lease_until: null,
    ...(hasMoved && { last_sent_at: at }),
    next_attempt_at: sql<Date>`case when ${hasMore(row, done)} then ${at}::timestamptz end`
  }).where(isHeld(row, ['active'])).returning('next_attempt_at').executeTakeFirst()
  return found && found.next_attempt_at !== null
}

/** @returns whether this job still held it */
export const settleFailed = async (db: Db, row: DestinationRow, error: string, seconds: number): Promise<boolean> => {
  const { numUpdatedRows } = await db.updateTable('audit_destination').set({
    attempts: next('attempts'),
    failing_since: setOnce('failing_since', clock),
    last_error: error,
    lease_until: null,
    next_attempt_at: clockPlus(seconds)
  }).where(isHeld(row, ['active'])).executeTakeFirst()
  return numUpdatedRows > 0n
}

export type NewLetter = Omit<AuditDeadLetterTable, 'id' | 'created_at' | 'workspace_id'>

/** Sets aside what cannot be delivered, and goes on behind it. @returns whether this job still held it */
export const setAside = (db: Db, row: DestinationRow, letter: Omit<NewLetter, 'destination_id'>): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const column = letter.what === 'entries' ? 'position' : 'checkpoint_position'
    const { numUpdatedRows } = await trx.updateTable('audit_destination')
      .set({ [column]: letter.to_seq, attempts: 0, lease_until: null, next_attempt_at: clock })
      .where(isHeld(row, ['active'])).executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await trx.insertInto('audit_dead_letter')
      .values({ ...letter, destination_id: row.id, workspace_id: row.workspace_id, id: uuid() }).execute()
    return true
  })

const letterColumns = ['id', 'destination_id', 'what', 'from_seq', 'to_seq', 'error', 'created_at'] as const

/** @returns what was set aside, the newest first */
export const listLetters = (db: Db, workspaceId: string, destinationId: string,
  { before, limit }: { before?: string | undefined, limit: number }) =>
  db.selectFrom('audit_dead_letter').select(letterColumns).where('workspace_id', '=', workspaceId)
    .where('destination_id', '=', destinationId)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc').limit(limit).execute()

export const findLetter = (db: Db, workspaceId: string, destinationId: string, id: string) =>
  db.selectFrom('audit_dead_letter').select(letterColumns).where('workspace_id', '=', workspaceId)
    .where('destination_id', '=', destinationId).where('id', '=', id).executeTakeFirst()

/** @returns how many were set aside, by destination */
export const countLetters = (db: Db, workspaceId: string) => db.selectFrom('audit_dead_letter')
  .select(['destination_id', sql<number>`count(*)`.as('count')]).where('workspace_id', '=', workspaceId)
  .groupBy('destination_id').execute()

export const deleteLetter = async (db: Db, workspaceId: string, id: string): Promise<void> => {
  await db.deleteFrom('audit_dead_letter').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}
