import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { clockPlus } from '../clock.js'
import { next } from '../columns.js'
import { dueRowsOf, leaseFor } from '../durable/due-rows.js'
import { isHeld, type WorkKey } from '../durable/leases.js'
import type { Db } from '../index.js'
import type { Click } from '../../schemas/channels/slack.js'

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
