import { sql } from 'kysely'
import type { AgentUsageTable } from './agent/tables.js'
import { clock, clockPlus } from './clock.js'
import { sumOf, anyOf } from './columns.js'
import type { Db } from './index.js'
import { lockText } from './statement.js'

/** Whose budget pays for a model call. */
export interface Payer {
  workspace_id: string
  user_id: string
}

/** What a model call was made for. */
export interface Purpose {
  purpose: AgentUsageTable['purpose']
  session_id?: string
  run_id?: string
  generation_id?: string
}

export type UsageRow = Pick<AgentUsageTable, 'id' | 'model' | 'input_tokens' | 'cache_write_tokens' |
  'cache_read_tokens' | 'output_tokens' | 'cost_usd_micros' | 'provider_request_id'>

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

/** Midnight UTC. */
const today = sql<Date>`date_trunc('day', now() at time zone 'utc') at time zone 'utc'`

/** @returns micro-dollars that the person's model calls have cost since midnight UTC */
export const spentToday = async (db: Db, { workspace_id, user_id }: Payer): Promise<number> => {
  const { spent } = await db.selectFrom('agent_usage').select(sumOf('cost_usd_micros').as('spent'))
    .where('workspace_id', '=', workspace_id).where('user_id', '=', user_id)
    .where('created_at', '>=', today).executeTakeFirstOrThrow()
  return spent
}

/** @returns the same of all people of the workspace, one after the other, as the index has them */
const spentByAll = async (db: Db, workspaceId: string): Promise<number> => {
  const { spent } = await db.selectFrom('account_user as person')
    .innerJoinLateral((eb) => eb.selectFrom('agent_usage').select(sumOf('cost_usd_micros').as('spent'))
      .where('agent_usage.workspace_id', '=', workspaceId).whereRef('agent_usage.user_id', '=', 'person.id')
      .where('agent_usage.created_at', '>=', today).as('day'), (join) => join.onTrue())
    .select(sumOf('day.spent').as('spent')).where('person.workspace_id', '=', workspaceId).executeTakeFirstOrThrow()
  return spent
}

/** @returns the same of each of some people */
export const listSpentToday = async (db: Db, workspaceId: string, userIds: readonly string[]): Promise<number[]> => {
  const rows = await db.selectFrom('agent_usage').select(['user_id', sumOf('cost_usd_micros').as('spent')])
    .where('workspace_id', '=', workspaceId).where('user_id', '=', anyOf(userIds))
    .where('created_at', '>=', today).groupBy('user_id').execute()
  const spent = new Map(rows.map((row) => [row.user_id, row.spent]))
  return userIds.map((id) => spent.get(id) ?? 0)
}

/** A reservation outlives the longest call; one of a process that died is gone after it. */
const reservationSeconds = 900

/** @param userId undefined = of all people of the workspace */
const sumReservations = async (trx: Db, workspaceId: string, userId?: string): Promise<number> => {
  const ofUser = userId !== undefined
  await trx.deleteFrom('model_reservation').where('workspace_id', '=', workspaceId)
    .$if(ofUser, (query) => query.where('user_id', '=', String(userId)))
    .where('expires_at', '<', clock).execute()
  const { micros } = await trx.selectFrom('model_reservation').select(sumOf('micros').as('micros'))
    .where('workspace_id', '=', workspaceId)
    .$if(ofUser, (query) => query.where('user_id', '=', String(userId))).executeTakeFirstOrThrow()
  return micros
}

/** Of a budget of the day, in micro-dollars. */
export interface Cap {
  micros: number
  /** What calls under way of this process may cost that have no row. */
  elsewhere: number
}

export interface Asked {
  id: string
  /** The most that the call may cost. */
  micros: number
  user: Cap
  /** Undefined = all people of the workspace together have no budget. */
  workspace: Cap | undefined
}

export interface Reserved {
  /** What the person has spent today. */
  spent: number
  /** The budget that leaves no room; undefined = the call may be made. */
  full: 'user' | 'workspace' | undefined
  /** Whether it is spent: nothing that others give back makes room. */
  isSpent: boolean
}

const judge = ({ micros, elsewhere }: Cap, spent: number, reserved: number) =>
  ({ isFull: spent + elsewhere + reserved >= micros, isSpent: spent >= micros })

const judgeWorkspace = async (trx: Db, workspaceId: string, cap: Cap | undefined) => {
  if (!cap) return { isFull: false, isSpent: false }
  const reserved = await sumReservations(trx, workspaceId)
  return judge(cap, await spentByAll(trx, workspaceId), reserved)
}

/**
 * Reserves what a call may cost, unless what was spent today and what is reserved leave nothing of the budget. One at
 * a time for each person, and for each workspace that has a budget, whatever the instance.
 */
export const reserveSpend = (db: Db, payer: Payer, { id, micros, user, workspace }: Asked): Promise<Reserved> =>
  db.transaction().execute(async (trx) => {
    const { workspace_id, user_id } = payer
    // The next statement's snapshot has what the holder before has committed.
    if (workspace) await lockText(trx, workspace_id)
    await lockText(trx, `${workspace_id}:${user_id}`)
    // In this order: a call records its charge before it gives back what it had reserved, so one of the two is seen.
    const reserved = await sumReservations(trx, workspace_id, user_id)
    const spent = await spentToday(trx, payer)
    const [own, all] = [judge(user, spent, reserved), await judgeWorkspace(trx, workspace_id, workspace)]
    if (own.isFull) return { spent, full: 'user', isSpent: own.isSpent }
    if (all.isFull) return { spent, full: 'workspace', isSpent: all.isSpent }
    await trx.insertInto('model_reservation')
      .values({ workspace_id, user_id, id, micros, expires_at: clockPlus(reservationSeconds) }).execute()
    return { spent, full: undefined, isSpent: false }
  })

export const deleteReservation = async (db: Db, { workspace_id, user_id }: Payer, id: string): Promise<void> => {
  await db.deleteFrom('model_reservation')
    .where('workspace_id', '=', workspace_id).where('user_id', '=', user_id).where('id', '=', id).execute()
}
