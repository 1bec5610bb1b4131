import { sql } from 'kysely'
import type { Db } from '../index.js'
import type { RunKind } from './tables.js'
import type { RunStatus } from '../types.js'
import { isOneOf } from '../statement.js'

export const liveStatuses = ['ready', 'running', 'awaiting_confirmation'] as const

export interface ClaimedRun {
  workspace_id: string
  id: string
  session_id: string
  user_id: string
  kind: RunKind
  principal: { scopes: string[] | null }
  status: RunStatus
  step: number
  attempts: number
  position: number
  lease_epoch: number
  active_ms: number
  budget_usd_micros: number
  cancel_requested: boolean
  reason: string | null
  /** The lease of another process lapsed: that process may have told text that it did not store. */
  taken_over: boolean
}

/**
 * Takes a run that is ready, or whose lease lapsed, under a new epoch; late writes of its last owner then fail.
 * @returns undefined when somebody else has it, or it has ended
 */
export const claimRun = async (
  db: Db,
  workspaceId: string,
  id: string,
  owner: string,
  leaseMs: number,
  gap: number
): Promise<ClaimedRun | undefined> => {
  const { rows } = await sql<ClaimedRun>`
    with before as (
      select id, status from agent_run where workspace_id = ${workspaceId} and id = ${id}
        and ((status = 'ready' and wake_at <= clock_timestamp())
          or (status = 'running' and lease_until < clock_timestamp()))
      for update skip locked)
    update agent_run set status = 'running', lease_owner = ${owner}, lease_epoch = lease_epoch + 1,
      lease_until = clock_timestamp() + make_interval(secs => ${leaseMs / 1000}), attempts = attempts + 1,
      position = position + case when before.status = 'running' then ${gap}::bigint else 0 end
    from before where workspace_id = ${workspaceId} and agent_run.id = before.id
    returning workspace_id, agent_run.id, session_id, user_id, kind, principal, agent_run.status, step, attempts,
      position, lease_epoch, active_ms, budget_usd_micros, cancel_requested_at is not null as cancel_requested, reason,
      before.status = 'running' as taken_over`.execute(db)
  return rows[0]
}

/** @returns runs that nobody works on: ready ones, and those whose owner stopped renewing */
export const listClaimable = async (db: Db, limit: number): Promise<{ workspace_id: string; id: string }[]> => {
  const { rows } = await sql<{ workspace_id: string; id: string }>`
    (select workspace_id, id from agent_run where status = 'ready' and wake_at <= now() order by wake_at limit ${limit})
    union all
    (select workspace_id, id from agent_run where status = 'running' and lease_until < now() limit ${limit})`.execute(
    db
  )
  return rows
}

/**
 * Keeps the leases of the runs that this process works on. Those of runs that it let go of, because the database went
 * away, lapse although they are its own by their rows. @returns the epochs it still holds, by run
 */
export const renewLeases = async (db: Db, owner: string, ids: string[], leaseMs: number):
Promise<Map<string, number>> => {
  const { rows } = await sql<{ id: string; lease_epoch: number }>`
    update agent_run set lease_until = clock_timestamp() + make_interval(secs => ${leaseMs / 1000})
    where lease_owner = ${owner} and status = 'running' and id = any(${ids}::uuid[])
    returning id, lease_epoch`.execute(db)
  return new Map(rows.map((row) => [row.id, row.lease_epoch]))
}

/** @returns runs of this process that somebody asked to stop */
export const listCancelRequested = async (db: Db, owner: string): Promise<{ id: string; reason: string | null }[]> =>
  db
    .selectFrom('agent_run')
    .select(['id', 'reason'])
    .where('lease_owner', '=', owner)
    .where('status', '=', 'running')
    .where('cancel_requested_at', 'is not', null)
    .execute()

/** Gives a run back, for another process to go on with; at shutdown. */
export const releaseRun = async (db: Db, workspaceId: string, id: string, epoch: number, position: number) => {
  await db
    .updateTable('agent_run')
    .set({ status: 'ready', lease_owner: null, lease_until: null, wake_at: sql`now()`, position, attempts: 0 })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('lease_epoch', '=', epoch)
    .where('status', '=', 'running')
    .execute()
}

/**
 * Lets a run wait for its approvals. Locks the row first: a decision locks it too, so one made meanwhile is seen.
 * @returns parked, or that there is work (a decision was made, or a cancel asked for), or that the run is lost
 */
export const parkRun = (
  db: Db,
  workspaceId: string,
  id: string,
  epoch: number
): Promise<'parked' | 'work' | 'lost'> =>
  db.transaction().execute(async (trx) => {
    const run = await trx
      .selectFrom('agent_run')
      .select(['id', 'cancel_requested_at'])
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('lease_epoch', '=', epoch)
      .where('status', '=', 'running')
      .forUpdate()
      .executeTakeFirst()
    if (!run) return 'lost'
    const work = await trx
      .selectFrom('agent_tool_call')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('run_id', '=', id)
      .where('status', 'in', ['approved', 'rejected', 'expired'])
      .where('result_model', 'is', null)
      .limit(1)
      .executeTakeFirst()
    if (work || run.cancel_requested_at) return 'work'
    await trx
      .updateTable('agent_run')
      .set({ status: 'awaiting_confirmation', lease_owner: null, lease_until: null, attempts: 0 })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .execute()
    return 'parked'
  })

/**
 * Asks a run to stop; a waiting one becomes ready, so that someone closes it. A message supersedes only what waits: a
 * run whose approval came first goes on. @returns undefined when there is none to stop
 */
export const requestCancel = async (
  db: Db,
  workspaceId: string,
  userId: string,
  id: string,
  reason: 'user_cancel' | 'superseded' | 'session_deleted'
) => {
  const { rows } = await sql<{ id: string; session_id: string; status: RunStatus }>`
    update agent_run set cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
      reason = coalesce(reason, ${reason}), wake_at = now(),
      status = case when status = 'awaiting_confirmation' then 'ready' else status end
    where workspace_id = ${workspaceId} and user_id = ${userId} and id = ${id}
      and (status = 'awaiting_confirmation' or (status in ('ready', 'running') and ${reason} <> 'superseded'))
    returning id, session_id, status`.execute(db)
  return rows[0]
}

/** @returns why this holder of the run is asked to stop it; undefined when it is not, or holds it no more */
export const findCancelReason = async (
  db: Db,
  key: { workspace_id: string; run_id: string; epoch: number }
): Promise<string | undefined> => {
  const row = await db
    .selectFrom('agent_run')
    .select('reason')
    .where('workspace_id', '=', key.workspace_id)
    .where('id', '=', key.run_id)
    .where('lease_epoch', '=', key.epoch)
    .where('status', '=', 'running')
    .where('cancel_requested_at', 'is not', null)
    .executeTakeFirst()
  return row && (row.reason ?? 'user_cancel')
}

export const addActiveTime = async (db: Db, workspaceId: string, id: string, ms: number): Promise<void> => {
  await db
    .updateTable('agent_run')
    .set({ active_ms: sql`active_ms + ${ms}` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** A spent budget was raised by its owner. */
export const raiseBudgets = async (
  db: Db,
  workspaceId: string,
  run: { id: string; session_id: string },
  micros: number
) => {
  await db
    .updateTable('agent_run')
    .set({ budget_usd_micros: sql`budget_usd_micros + ${micros}` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', run.id)
    .execute()
  await db
    .updateTable('agent_session')
    .set({ budget_usd_micros: sql`budget_usd_micros + ${micros}` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', run.session_id)
    .execute()
}

const runColumns = [
  'id',
  'session_id',
  'status',
  'reason',
  'step',
  'error',
  'position',
  'cancel_requested_at',
  'created_at',
  'finished_at'
] as const

export const findRun = (db: Db, workspaceId: string, userId: string, id: string) =>
  db
    .selectFrom('agent_run')
    .select(runColumns)
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()

export const findLiveRun = (db: Db, workspaceId: string, sessionId: string) =>
  db
    .selectFrom('agent_run')
    .select(['id', 'status'])
    .where('workspace_id', '=', workspaceId)
    .where('session_id', '=', sessionId)
    .where(isOneOf('status', liveStatuses))
    .executeTakeFirst()

export interface UsageSum {
  model_calls: number
  input_tokens: number
  output_tokens: number
  cache_read_tokens: number
  cost_usd_micros: number
  /** null before the first call */
  model: string | null
}

/** @returns what the run's model calls took so far */
export const sumUsage = async (db: Db, workspaceId: string, runId: string): Promise<UsageSum> => {
  const { rows } = await sql<UsageSum>`
    select count(*)::integer as model_calls, coalesce(sum(input_tokens), 0)::bigint as input_tokens,
      coalesce(sum(output_tokens), 0)::bigint as output_tokens,
      coalesce(sum(cache_read_tokens), 0)::bigint as cache_read_tokens,
      coalesce(sum(cost_usd_micros), 0)::bigint as cost_usd_micros, max(model) as model
    from agent_usage where workspace_id = ${workspaceId} and run_id = ${runId}`.execute(db)
  return rows[0] ?? {
    model_calls: 0, input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cost_usd_micros: 0, model: null
  }
}

/** @returns micro-dollars that the user spent since midnight UTC */
export const spentToday = async (db: Db, workspaceId: string, userId: string): Promise<number> => {
  const { rows } = await sql<{ spent: number }>`
    select coalesce(sum(cost_usd_micros), 0)::bigint as spent from agent_usage where workspace_id = ${workspaceId}
      and user_id = ${userId} and created_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc'`.execute(
    db
  )
  return rows[0]?.spent ?? 0
}
