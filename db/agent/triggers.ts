import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { clock, now } from '../clock.js'
import { next } from '../columns.js'
import type { DueRows } from '../durable/due-rows.js'
import { inTurn, type WorkKey } from '../durable/leases.js'
import type { Slice } from '../filters.js'
import type { Db } from '../index.js'
import { sweep } from '../workers.js'
import type { AgentTriggerTable } from './trigger-tables.js'
import type { Insertable, Updateable } from 'kysely'

const columns = ['workspace_id', 'id', 'user_id', 'principal', 'kind', 'name', 'question', 'cron', 'time_zone',
  'source', 'topic_arn', 'app_id', 'min_impact_usd', 'secret', 'enabled', 'off_reason', 'budget_usd_micros',
  'runs_a_day', 'next_at', 'last_run_at', 'revision', 'created_at', 'updated_at'] as const

const rows = (db: Db, workspaceId: string) =>
  db.selectFrom('agent_trigger').select(columns).where('workspace_id', '=', workspaceId)

export const findTrigger = (db: Db, workspaceId: string, id: string) =>
  rows(db, workspaceId).where('id', '=', id).executeTakeFirst()

export type TriggerRow = NonNullable<Awaited<ReturnType<typeof findTrigger>>>

/** @returns a trigger of the person */
export const findOwnTrigger = (db: Db, workspaceId: string, userId: string, id: string) =>
  rows(db, workspaceId).where('user_id', '=', userId).where('id', '=', id).executeTakeFirst()

/** @returns the person's triggers, newest first */
export const listTriggers = (db: Db, workspaceId: string, userId: string, { before, limit }: Slice) =>
  rows(db, workspaceId).where('user_id', '=', userId)
    .$if(before !== undefined, (query) => query.where('id', '<', String(before)))
    .orderBy('id', 'desc').limit(limit).execute()

/** @returns those that a failed build of the app sets off */
export const listBuildTriggers = (db: Db, workspaceId: string, appId: string) =>
  rows(db, workspaceId).where('kind', '=', 'build_failed').where('enabled', '=', true)
    .where((where) => where.or([where('app_id', 'is', null), where('app_id', '=', appId)])).execute()

export type NewTriggerRow = Omit<Insertable<AgentTriggerTable>, 'workspace_id' | 'created_at' | 'updated_at'>

export const insertTrigger = (db: Db, workspaceId: string, row: NewTriggerRow): Promise<TriggerRow> =>
  db.insertInto('agent_trigger').values({ ...row, workspace_id: workspaceId }).returning(columns)
    .executeTakeFirstOrThrow()

export const newTriggerId = (): string => uuid()

export type TriggerChange = Pick<Updateable<AgentTriggerTable>, 'name' | 'question' | 'cron' | 'time_zone' | 'secret' |
  'topic_arn' | 'min_impact_usd' | 'enabled' | 'off_reason' | 'budget_usd_micros' | 'runs_a_day' | 'next_at' |
  'principal'>

/** @returns the changed row; undefined when it is no longer at that revision */
export const updateTrigger = (db: Db, { workspace_id, id, revision }: TriggerRow, change: TriggerChange) =>
  db.updateTable('agent_trigger').set({ ...change, revision: next('revision'), updated_at: now })
    .where('workspace_id', '=', workspace_id).where('id', '=', id).where('revision', '=', revision)
    .returning(columns).executeTakeFirst()

/** @returns whether it was there, at that revision */
export const deleteTrigger = async (db: Db, { workspace_id, id, revision }: TriggerRow): Promise<boolean> =>
  await db.deleteFrom('agent_trigger').where('workspace_id', '=', workspace_id).where('id', '=', id)
    .where('revision', '=', revision).returning('id').executeTakeFirst() !== undefined

/** Turns off what may not act any more, and records why. */
export const turnOff = async (db: Db, { workspace_id, id }: WorkKey, reason: string): Promise<void> => {
  await db.updateTable('agent_trigger')
    .set({ enabled: false, off_reason: reason, revision: next('revision'), updated_at: now })
    .where('workspace_id', '=', workspace_id).where('id', '=', id).where('enabled', '=', true).execute()
}

const isDue = sql<boolean>`enabled and next_at <= ${clock}`

/**
 * A due trigger, which nobody holds: `moveOn` writes what it begins together with its next time, so of many jobs that
 * find it due one begins something.
 */
export const dueTriggers: DueRows<TriggerRow> = {
  claim: (db, { workspace_id, id }) => rows(db, workspace_id).where('id', '=', id).where(isDue).executeTakeFirst(),
  listLate: (db, limit) => sweep(db, async (reach) => (await inTurn('agent_trigger',
    reach(sql`enabled and next_at <= now() - interval '5 seconds'`), 'next_at', limit).execute(db)).rows)
}

/** @returns seconds until it is due; undefined when it never is */
export const secondsUntilDue = async (db: Db, { workspace_id, id }: WorkKey): Promise<number | undefined> => {
  const row = await db.selectFrom('agent_trigger')
    .select(sql<number>`greatest(extract(epoch from next_at - ${clock}), 0)::float8`.as('seconds'))
    .where('workspace_id', '=', workspace_id).where('id', '=', id).where('enabled', '=', true)
    .where('next_at', 'is not', null).executeTakeFirst()
  return row?.seconds
}

/** Moves a due trigger to its next time. @returns whether this was who did it */
export const moveOn = async (trx: Db, { workspace_id, id, next_at: due }: TriggerRow, to: Date | null):
Promise<boolean> =>
  await trx.updateTable('agent_trigger').set({ next_at: to })
    .where('workspace_id', '=', workspace_id).where('id', '=', id).where('next_at', '=', due).where(isDue)
    .returning('id').executeTakeFirst() !== undefined
