import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { clock, clockPlus, now, setOnce } from '../clock.js'
import { next, type Slice } from '../columns.js'
import { dueRowsOf, leaseFor } from '../durable/due-rows.js'
import { isHeld, type WorkKey } from '../durable/leases.js'
import type { Db } from '../index.js'
import { sweep } from '../workers.js'
import type { DeliveryEvent, Facts } from '../../schemas/channels/channels.js'

const columns = ['workspace_id', 'id', 'channel_id', 'user_id', 'event', 'subject_id', 'facts', 'wanted', 'shown',
  'ref', 'sending_since', 'status', 'attempts', 'last_error', 'next_attempt_at', 'lease_epoch', 'created_at',
  'sent_at'] as const

const select = (db: Db, workspaceId: string) =>
  db.selectFrom('channel_delivery').select(columns).where('workspace_id', '=', workspaceId)

export const findDelivery = (db: Db, workspaceId: string, id: string) =>
  select(db, workspaceId).where('id', '=', id).executeTakeFirst()

export type DeliveryRow = NonNullable<Awaited<ReturnType<typeof findDelivery>>>

export interface NewDelivery {
  channel_id: string
  user_id: string
  event: DeliveryEvent
  subject_id: string
  facts: Facts
  wanted: string
}

/** Of an event a channel is notified once. @returns what was not there before */
export const insertDeliveries = (db: Db, workspaceId: string, made: readonly NewDelivery[]): Promise<WorkKey[]> =>
  made.length === 0
    ? Promise.resolve([])
    : db.insertInto('channel_delivery')
      .values(made.map((row) => ({
        ...row, facts: JSON.stringify(row.facts), workspace_id: workspaceId, id: uuid(), next_attempt_at: now
      })))
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'channel_id', 'event', 'subject_id']).doNothing())
      .returning(['workspace_id', 'id']).execute()

/** @returns the questions of which a person was notified, or will be, and which waited when it was looked last */
export const listOpen = (db: Db, workspaceId: string): Promise<{ user_id: string, subject_id: string }[]> =>
  db.selectFrom('channel_delivery').select(['user_id', 'subject_id']).distinct()
    .where('workspace_id', '=', workspaceId).where('wanted', '=', 'pending').execute()

/** @returns the channels to which a question was sent, or will be, and whose they are */
export const listAsked = (db: Db, workspaceId: string, questionId: string):
Promise<{ channel_id: string, user_id: string }[]> =>
  db.selectFrom('channel_delivery').select(['channel_id', 'user_id']).where('workspace_id', '=', workspaceId)
    .where('event', '=', 'asked').where('subject_id', '=', questionId).orderBy('id').execute()

/** A question has ended: a person who was notified of it is notified of that, too. @returns what is to be sent */
export const endQuestion = (db: Db, workspaceId: string, questionId: string, userId: string, wanted: string):
Promise<WorkKey[]> =>
  db.updateTable('channel_delivery').set({ wanted, attempts: 0, next_attempt_at: clock })
    .where('workspace_id', '=', workspaceId).where('event', '=', 'asked').where('subject_id', '=', questionId)
    .where('user_id', '=', userId).where('wanted', '=', 'pending').where('status', '=', 'active')
    .returning(['workspace_id', 'id']).execute()

/** Messages of a question that can be changed are written anew. @returns what is to be sent */
export const refreshCards = (db: Db, workspaceId: string, questionId: string): Promise<WorkKey[]> =>
  db.updateTable('channel_delivery').set({ next_attempt_at: clock })
    .where('workspace_id', '=', workspaceId).where('event', '=', 'asked').where('subject_id', '=', questionId)
    .where('ref', 'is not', null).where('status', '=', 'active').returning(['workspace_id', 'id']).execute()

const due = sql<boolean>`(status = 'active' and next_attempt_at <= statement_timestamp()
  and (lease_until is null or lease_until < statement_timestamp()))`

/** Longer than it takes to look for a card, and to send one. */
const leaseSeconds = 60

export type ClaimedDelivery = DeliveryRow & { was: string }

export const dueDeliveries = dueRowsOf<ClaimedDelivery>({
  name: 'channel_delivery',
  state: 'status',
  columns,
  isDue: due,
  isLate: due,
  onClaim: leaseFor(leaseSeconds),
  orderBy: 'next_attempt_at'
})

const whileActive = ['active'] as const

/** A card is about to be sent: whoever finds the row so looks for that card first. @returns whether it is still ours */
export const noteSending = async (db: Db, row: DeliveryRow): Promise<boolean> => {
  const { numUpdatedRows } = await db.updateTable('channel_delivery')
    .set({ sending_since: setOnce('sending_since', clock) }).where(isHeld(row, whileActive))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The card has surely not arrived. */
export const forgetSending = async (db: Db, row: DeliveryRow): Promise<void> => {
  await db.updateTable('channel_delivery').set({ sending_since: null }).where(isHeld(row, whileActive)).execute()
}

/**
 * What is wanted may have changed meanwhile: then it is due again.
 * @param sent undefined = there was nothing to say any more
 * @returns seconds until it is due again
 */
export const settleSent = async (db: Db, row: DeliveryRow, sent: { ref: DeliveryRow['ref'] } | undefined):
Promise<number | undefined> => {
  const found = await db.updateTable('channel_delivery').set({
    ...(sent && { shown: row.wanted, ref: sent.ref && JSON.stringify(sent.ref), sent_at: clock }),
    sending_since: null,
    attempts: 0,
    last_error: null,
    lease_until: null,
    next_attempt_at: sql<Date>`case when wanted <> ${row.wanted} then next_attempt_at end`
  }).where(isHeld(row, whileActive)).returning('next_attempt_at').executeTakeFirst()
  return found?.next_attempt_at ? 0 : undefined
}

/** @returns the seconds; undefined when another job holds it by now */
export const putOff = async (db: Db, row: DeliveryRow, seconds: number, error?: string):
Promise<number | undefined> => {
  const { numUpdatedRows } = await db.updateTable('channel_delivery').set({
    ...(error !== undefined && { attempts: next('attempts'), last_error: error }),
    lease_until: null,
    next_attempt_at: clockPlus(seconds)
  }).where(isHeld(row, whileActive)).executeTakeFirst()
  return numUpdatedRows > 0n ? seconds : undefined
}

/** Gives up; it is listed, and can be sent again. */
export const bury = async (db: Db, row: DeliveryRow, error: string): Promise<void> => {
  await db.updateTable('channel_delivery')
    .set({ status: 'dead', attempts: next('attempts'), last_error: error, lease_until: null, next_attempt_at: null })
    .where(isHeld(row, whileActive)).execute()
}

/** @returns whether it was dead */
export const revive = async (db: Db, workspaceId: string, channelId: string, id: string): Promise<boolean> => {
  const { numUpdatedRows } = await db.updateTable('channel_delivery')
    .set({ status: 'active', attempts: 0, next_attempt_at: clock })
    .where('workspace_id', '=', workspaceId).where('channel_id', '=', channelId).where('id', '=', id)
    .where('status', '=', 'dead').executeTakeFirst()
  return numUpdatedRows > 0n
}

/** @returns what a channel was sent, or was not, newest first */
export const listDeliveries = (db: Db, workspaceId: string, channelId: string, onlyDead: boolean,
  { before, limit }: Slice) =>
  select(db, workspaceId).where('channel_id', '=', channelId)
    .$if(onlyDead, (query) => query.where('status', '=', 'dead'))
    .$if(before !== undefined, (query) => query.where('id', '<', String(before)))
    .orderBy('id', 'desc').limit(limit).execute()

/** @returns what was given up of all channels of the workspace, newest first, with whose it is */
export const listDead = (db: Db, workspaceId: string, { before, limit }: Slice) =>
  db.selectFrom('channel_delivery as delivery')
    .innerJoin('channel', (join) => join.on('channel.workspace_id', '=', workspaceId)
      .onRef('channel.id', '=', 'delivery.channel_id'))
    .select(columns.map((column) => `delivery.${column}` as const))
    .select(['channel.kind as channel_kind', 'channel.name as channel_name'])
    .where('delivery.workspace_id', '=', workspaceId).where('delivery.status', '=', 'dead')
    .$if(before !== undefined, (query) => query.where('delivery.id', '<', String(before)))
    .orderBy('delivery.id', 'desc').limit(limit).execute()

/** What has long ended is of no use. */
export const deleteOldDeliveries = async (db: Db): Promise<void> => {
  await sweep(db, (reach) => db.deleteFrom('channel_delivery')
    .where(reach(sql`wanted <> 'pending' and created_at < now() - interval '30 days'`)).execute())
}
