import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Click } from '../../schemas/channels/channels.js'
import { clockPlus, clock } from '../clock.js'
import { next } from '../columns.js'
import { dueRowsOf, leaseFor } from '../durable/due-rows.js'
import { isHeld, type WorkKey } from '../durable/leases.js'
import type { Db } from '../index.js'
import { sweep } from '../workers.js'

const isDue = sql<boolean>`claimed_at < statement_timestamp() - interval '4 seconds'`

/** @returns workspaces in which events are to be looked for */
export const listToLook = async (db: Db): Promise<string[]> => (await sweep(db, (reach) =>
  db.selectFrom('channel_look').select('workspace_id').where(reach(isDue)).execute()))
  .map(({ workspace_id: id }) => id)

/** One process looks at a time. @returns since when; undefined when another one does */
export const claimLook = async (db: Db, workspaceId: string, always = false):
Promise<{ since: Date, at: Date } | undefined> => {
  const row = await db.updateTable('channel_look').set({ claimed_at: clock })
    .where('workspace_id', '=', workspaceId).$if(!always, (query) => query.where(isDue))
    .returning(['looked_at', 'claimed_at']).executeTakeFirst()
  return row && { since: row.looked_at, at: row.claimed_at }
}

export const settleLook = async (db: Db, workspaceId: string, at: Date): Promise<void> => {
  await db.updateTable('channel_look').set({ looked_at: at }).where('workspace_id', '=', workspaceId).execute()
}

/** Takes a signed request. @returns whether it is new */
export const takeRequest = async (db: Db, workspaceId: string, signature: string): Promise<boolean> => {
  const { numInsertedOrUpdatedRows: rows } = await db.insertInto('channel_request')
    .values({ workspace_id: workspaceId, signature }).onConflict((conflict) => conflict.doNothing()).executeTakeFirst()
  return rows !== undefined && rows > 0n
}

/** Their signatures have long expired. */
export const deleteOldRequests = async (db: Db, workspaceId: string): Promise<void> => {
  await db.deleteFrom('channel_request').where('workspace_id', '=', workspaceId)
    .where('created_at', '<', sql<Date>`now() - interval '1 hour'`).execute()
}

/** `attempts` includes the one that the claim begins. */
export interface ClickRow extends WorkKey { click: Click, attempts: number, lease_epoch: number }

/** Keeps a click until it is taken. @param workspaceId the first one of the installation, whose Slack app it is */
export const insertClick = async (db: Db, workspaceId: string, click: Click): Promise<WorkKey> => {
  const key = { workspace_id: workspaceId, id: uuid() }
  await db.insertInto('channel_click').values({ ...key, click: JSON.stringify(click) }).execute()
  return key
}

const due = sql<boolean>`(status = 'active' and next_attempt_at <= statement_timestamp()
  and (lease_until is null or lease_until < statement_timestamp()))`

const leaseSeconds = 60

export const dueClicks = dueRowsOf<ClickRow>({
  name: 'channel_click',
  state: 'status',
  columns: ['workspace_id', 'id', 'click', 'attempts', 'lease_epoch'],
  isDue: due,
  isLate: due,
  // Counted before it begins: a click that ends its process is not repeated for ever.
  onClaim: sql`attempts = ${next('attempts')}, ${leaseFor(leaseSeconds)}`,
  orderBy: 'next_attempt_at'
})

const whileActive = ['active'] as const

export const deleteClick = async (db: Db, row: ClickRow): Promise<void> => {
  await db.deleteFrom('channel_click').where(isHeld(row, whileActive)).execute()
}

/** @returns the seconds; undefined when another job holds it by now */
export const putOffClick = async (db: Db, row: ClickRow, seconds: number): Promise<number | undefined> => {
  const { numUpdatedRows } = await db.updateTable('channel_click')
    .set({ lease_until: null, next_attempt_at: clockPlus(seconds) }).where(isHeld(row, whileActive)).executeTakeFirst()
  return numUpdatedRows > 0n ? seconds : undefined
}
