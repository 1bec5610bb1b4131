import { sql } from 'kysely'
import { clock, clockPlus } from './clock.js'
import { sumOf } from './columns.js'
import type { Db } from './index.js'
import { lockText } from './locks.js'

/** Whose budget pays for a model call. */
export interface Payer {
  workspace_id: string
  user_id: string
}

/** What a model call was made for. */
export interface Purpose {
  purpose: 'chat' | 'title' | 'spec' | 'content'
  session_id?: string
  run_id?: string
  generation_id?: string
}

export interface UsageRow {
  id: string
  model: string
  input_tokens: number
  cache_write_tokens: number
  cache_read_tokens: number
  output_tokens: number
  cost_usd_micros: number
  provider_request_id: string | null
}

export interface ModelCallRow extends UsageRow {
  /** The provider did not report all that it charged. */
  estimated: boolean
}

/**
 * Records what a model call was charged, for its payer and, where it is of a session, for that: whoever holds the run
 * by now, the provider was paid. The same row again changes nothing.
 */
export const insertModelCall = async (db: Db, payer: Payer, { purpose, ...of }: Purpose, row: ModelCallRow):
Promise<void> => {
  const { session_id = null, run_id = null, generation_id = null } = of
  const { workspace_id, user_id } = payer
  await db
    .with('used', (query) => query.insertInto('agent_usage')
      .values({ ...row, workspace_id, user_id, session_id, run_id, generation_id, purpose })
      .onConflict((conflict) => conflict.doNothing()).returning('cost_usd_micros'))
    .updateTable('agent_session').from('used')
    .set((eb) => ({ spent_usd_micros: eb('spent_usd_micros', '+', eb.ref('used.cost_usd_micros')) }))
    .where('agent_session.workspace_id', '=', workspace_id).where('agent_session.id', '=', session_id)
    .execute()
}

/** @returns micro-dollars that the person's model calls have cost since midnight UTC */
export const spentToday = async (db: Db, { workspace_id, user_id }: Payer): Promise<number> => {
  const { spent } = await db.selectFrom('agent_usage').select(sumOf('cost_usd_micros').as('spent'))
    .where('workspace_id', '=', workspace_id).where('user_id', '=', user_id)
    .where('created_at', '>=', sql<Date>`date_trunc('day', now() at time zone 'utc') at time zone 'utc'`)
    .executeTakeFirstOrThrow()
  return spent
}

/** A reservation outlives the longest call; one of a process that died is gone after it. */
const reservationSeconds = 900

const sumReservations = async (trx: Db, { workspace_id, user_id }: Payer): Promise<number> => {
  await trx.deleteFrom('model_reservation').where('workspace_id', '=', workspace_id).where('user_id', '=', user_id)
    .where('expires_at', '<', clock).execute()
  const { micros } = await trx.selectFrom('model_reservation').select(sumOf('micros').as('micros'))
    .where('workspace_id', '=', workspace_id).where('user_id', '=', user_id).executeTakeFirstOrThrow()
  return micros
}

export interface Asked {
  id: string
  /** The most that the call may cost. */
  micros: number
  /** What calls under way of this process may cost that have no row. */
  elsewhere: number
  /** The budget of the day. */
  cap: number
}

/**
 * Reserves what a call may cost, unless what was spent today and what is reserved leave nothing of the budget. One at
 * a time for each person, whatever the instance.
 * @returns what was spent today, and whether the call may be made
 */
export const reserveSpend = (db: Db, payer: Payer, { id, micros, elsewhere, cap }: Asked):
Promise<{ spent: number, isReserved: boolean }> => db.transaction().execute(async (trx) => {
  const { workspace_id, user_id } = payer
  // The next statement's snapshot has what the holder before has committed.
  await lockText(trx, `${workspace_id}:${user_id}`)
  const spent = await spentToday(trx, payer)
  const isReserved = spent < cap && spent + elsewhere + await sumReservations(trx, payer) < cap
  if (isReserved) {
    await trx.insertInto('model_reservation')
      .values({ workspace_id, user_id, id, micros, expires_at: clockPlus(reservationSeconds) }).execute()
  }
  return { spent, isReserved }
})

export const deleteReservation = async (db: Db, { workspace_id, user_id }: Payer, id: string): Promise<void> => {
  await db.deleteFrom('model_reservation')
    .where('workspace_id', '=', workspace_id).where('user_id', '=', user_id).where('id', '=', id).execute()
}
