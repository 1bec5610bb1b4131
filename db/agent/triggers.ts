import { sql, type Insertable, type Updateable, type ColumnType, type Generated } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { ReportSentence } from '../../schemas/agent/reports.js'
import type { FiringStatus, TriggerKind, TriggerSource } from '../../schemas/agent/triggers.js'
import { clock, now } from '../clock.js'
import { next, type Slice } from '../columns.js'
import type { DueRows } from '../durable/due-rows.js'
import { inTurn, type WorkKey } from '../durable/leases.js'
import type { Db } from '../index.js'
import type { Json, NullableJson, NullableTime, Time } from '../types.js'
import { sweep } from '../workers.js'

interface AgentTriggerTable {
  workspace_id: string
  id: string
  /** As whom its runs act. */
  user_id: string
  /** What the runs may do: the rights with which the trigger was made, as a run stores them. */
  principal: Json<{ scopes: string[] | null, token_id?: string | null }>
  kind: TriggerKind
  name: string
  question: string
  cron: string | null
  time_zone: string | null
  source: TriggerSource | null
  topic_arn: string | null
  app_id: string | null
  min_impact_usd: number | null
  /** Encrypted. */
  secret: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
  enabled: Generated<boolean>
  /** Why Steward turned it off. */
  off_reason: string | null
  budget_usd_micros: number
  runs_a_day: number
  next_at: NullableTime
  last_run_at: NullableTime
  revision: Generated<number>
  created_at: Time
  updated_at: Time
}

/** Something set a trigger off: it becomes at most one run. */
export interface AgentTriggerFiringTable {
  workspace_id: string
  id: string
  trigger_id: string
  title: string
  /** What was sent, as far as it is kept: text from outside. */
  alert: NullableJson<unknown>
  status: FiringStatus
  reason: string | null
  session_id: string | null
  run_id: string | null
  resolved_at: NullableTime
  /** When the session got the note that it is resolved. */
  noted_at: NullableTime
  attempts: Generated<number>
  next_attempt_at: Time
  started_at: NullableTime
  created_at: Time
}

export interface AgentTriggerAlertTable {
  workspace_id: string
  trigger_id: string
  identity: string
  firing_id: string
  /** When it began, by its sender; null: the sender does not say. */
  started_at: NullableTime
  resolved_at: NullableTime
}

export interface AgentTriggerProposalTable {
  workspace_id: string
  run_id: string
  firing_id: string
  tool_call_id: string
  created_at: Time
}

export interface AgentReportTable {
  workspace_id: string
  id: string
  user_id: string
  firing_id: string
  session_id: string
  run_id: string
  title: string
  sentences: Json<ReportSentence[]>
  unsupported: number
  created_at: Time
}

declare module '../types.js' {
  interface Database {
    agent_trigger: AgentTriggerTable
    agent_trigger_firing: AgentTriggerFiringTable
    agent_trigger_alert: AgentTriggerAlertTable
    agent_trigger_proposal: AgentTriggerProposalTable
    agent_report: AgentReportTable
  }
}

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
