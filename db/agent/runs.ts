import { sql } from 'kysely'
import { now } from '../clock.js'
import { count, plus, sumOf, anyOf } from '../columns.js'
import {
  byWorkspace, findClaimableBy, inTurn, isHeld, leaseUntil, renewalsOf, takeLease, type Claimable, type Claimant,
  type LeasedRow, type Leases, type SeenRow, type WorkKey
} from '../durable/leases.js'
import type { Db } from '../index.js'
import { isOneOf } from '../statement.js'
import { sweep } from '../workers.js'
import type { RunKind, RunStatus } from './tables.js'

/** @returns runs of these people that have ended since, the oldest first */
export const listEndedRuns = (db: Db, workspaceId: string, people: readonly string[], since: Date) =>
  db.selectFrom('agent_run as r')
    .innerJoin('agent_session as s', (join) => join
      .onRef('s.workspace_id', '=', 'r.workspace_id').onRef('s.id', '=', 'r.session_id'))
    .select(['r.id', 'r.user_id', 'r.session_id', 'r.status', 's.title',
      sql<Date>`r.finished_at`.as('finished_at')])
    .where('r.workspace_id', '=', workspaceId).where('r.user_id', '=', anyOf(people)).where('r.kind', '=', 'chat')
    .where('r.finished_at', '>=', since).where('s.deleted_at', 'is', null).orderBy('r.finished_at').limit(500).execute()

/** @returns how many approvals wait, over all workspaces, and the age of the oldest in seconds; by a partial index */
export const readPending = (db: Db): Promise<{ count: number, oldest_s: number }> =>
  sweep(db, (reach) => db.selectFrom('agent_confirmation')
    .select(count.as('count'))
    .select(sql<number>`coalesce(extract(epoch from now() - min(requested_at)), 0)::double precision`.as('oldest_s'))
    .where(reach(isOneOf('status', ['pending']))).where('expires_at', '>', now).executeTakeFirstOrThrow())

export const liveStatuses = ['ready', 'running', 'awaiting_confirmation'] as const
/** A parked run goes on, too, when it is decided about. */
export const unfinishedStatuses = [...liveStatuses, 'parked'] as const

export interface ClaimedRun {
  workspace_id: string
  id: string
  session_id: string
  user_id: string
  kind: RunKind
  /** What it may do, and the API token that began it, without which it may do nothing more; null for a browser's. */
  principal: { scopes: string[] | null, token_id?: string | null, firing_id?: string }
  step: number
  /** Above 0, the lease of another process lapsed: that process may have sent text that it did not store. */
  attempts: number
  position: number
  lease_epoch: number
  active_ms: number
  budget_usd_micros: number
  cancel_requested_at: Date | null
  reason: string | null
}

export const claimedColumns = ['workspace_id', 'id', 'session_id', 'user_id', 'kind', 'principal', 'step', 'attempts',
  'position', 'lease_epoch', 'active_ms', 'budget_usd_micros', 'cancel_requested_at', 'reason'] as const

/** Positions skipped at a takeover: more than the last owner can have sent without storing it. */
const takeoverGap = 1_048_576

/**
 * Takes a run that is ready, or whose lease lapsed, under a new epoch; late writes of its last owner then fail.
 * @returns undefined when another process has it, or it has ended
 */
export const claimRun = (db: Db, { workspace_id, id }: WorkKey, claimant: Claimant): Promise<ClaimedRun | undefined> =>
  takeLease<ClaimedRun>(db, 'agent_run', claimedColumns, sql`workspace_id = ${workspace_id} and id = (
    select id from agent_run where workspace_id = ${workspace_id} and id = ${id}
      and ((status = 'ready' and wake_at <= statement_timestamp())
        or (status = 'running' and lease_until < statement_timestamp() and not id = any(${claimant.holds}::uuid[])))
    for update ${claimant.waits ? sql`` : sql`skip locked`})`, claimant,
  sql`status = 'running', position = position + case when lease_owner is null then 0 else ${takeoverGap}::bigint end`)

/** @returns runs that no process works on: ready ones, and those whose owner stopped renewing */
const findClaimable = (db: Db, limit: number, claimant: Claimant): Promise<Claimable<WorkKey>> =>
  findClaimableBy(db, 'agent_run', claimant, (reach) => sql`
    (${inTurn('agent_run', reach(sql`status = 'ready' and wake_at <= now()`), 'wake_at', limit)})
    union all
    (${inTurn('agent_run', reach(sql`status = 'running' and lease_until < statement_timestamp()
      and not id = any(${claimant.holds}::uuid[])`), 'lease_until', limit)})`, ['running'])

/** As of other work, but in the order in which steps of several runs lock them. */
const renew: Leases<ClaimedRun>['renew'] = (db, owner, keys, leaseMs) => byWorkspace(keys, async (workspaceId, ids) => {
  const { rows } = await sql<SeenRow>`with held as materialized (
      select id from agent_run where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])
        and lease_owner = ${owner} and status = 'running' order by id for update)
    update agent_run set lease_until = ${leaseUntil(leaseMs)} from held
    where agent_run.workspace_id = ${workspaceId} and agent_run.id = held.id
    returning agent_run.id, agent_run.lease_epoch`.execute(db)
  return rows
})

/**
 * Without listHeld: a poll of all live runs would need an index that every start and end of a run writes. Cancels have
 * an index of their own, and a lost lease is noticed at the next renewal.
 */
export const runLeases: Leases<ClaimedRun> = {
  ...renewalsOf('agent_run', ['running']),
  renew,
  claim: claimRun,
  findClaimable
}

/** @returns runs of this process whose cancel is requested */
export const listCancelRequested = (db: Db, owner: string, held: readonly WorkKey[]):
Promise<{ id: string; reason: string | null }[]> => byWorkspace(held, (workspaceId) =>
  db
    .selectFrom('agent_run')
    .select(['id', 'reason'])
    .where('workspace_id', '=', workspaceId)
    .where('lease_owner', '=', owner)
    .where('status', '=', 'running')
    .where('cancel_requested_at', 'is not', null)
    .execute())

/** Releases the lease at a shutdown; `position` is what this process has sent. */
export const releaseRun = async (db: Db, held: LeasedRow, position: number): Promise<void> => {
  await db
    .updateTable('agent_run')
    .set({ status: 'ready', lease_owner: null, lease_until: null, wake_at: now, position, attempts: 0 })
    .where(isHeld(held, ['running']))
    .execute()
}

/** @returns whether there is something to do of a run that waits: a call was decided, or ended without a decision */
export const hasDecided = async (db: Db, workspaceId: string, runId: string): Promise<boolean> =>
  await db
    .selectFrom('agent_tool_call')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('run_id', '=', runId)
    .where('status', 'in', ['approved', 'auto_approved', 'rejected', 'expired', 'superseded'])
    .where('result_model', 'is', null)
    .limit(1)
    .executeTakeFirst() !== undefined

/**
 * Lets a run wait for its approvals. Locks the row first: a decision locks it too, so one made meanwhile is seen.
 * @returns that it waits, that there is work (a decision was made, or a cancel asked for), or that the run is lost
 */
export const waitForDecision = (
  db: Db,
  workspaceId: string,
  id: string,
  epoch: number
): Promise<'waits' | 'work' | 'lost'> =>
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
    if (run.cancel_requested_at || await hasDecided(trx, workspaceId, id)) return 'work'
    await trx
      .updateTable('agent_run')
      .set({ status: 'awaiting_confirmation', lease_owner: null, lease_until: null, attempts: 0 })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .execute()
    return 'waits'
  })

export type CancelReason = 'user_cancel' | 'superseded' | 'session_deleted' | 'alert_resolved'

/**
 * Asks a run to stop; a waiting one becomes ready, so that someone closes it. A message supersedes only what waits, and
 * what was proposed for an alert that is over lapses only while it waits: a run whose approval came first goes on. A
 * parked one ends when its session is free. @returns undefined when there is none to stop
 */
export const requestCancel = async (
  db: Db,
  workspaceId: string,
  userId: string,
  id: string,
  reason: CancelReason
) => {
  const { rows } = await sql<{ id: string; session_id: string; status: RunStatus }>`
    update agent_run set cancel_requested_at = least(cancel_requested_at, statement_timestamp()),
      reason = case when reason is null or reason = 'parked' then ${reason} else reason end, wake_at = now(),
      status = case when status = 'awaiting_confirmation' then 'ready' else status end
    where workspace_id = ${workspaceId} and user_id = ${userId} and id = ${id}
      and (status in ('awaiting_confirmation', 'parked') or (status in ('ready', 'running')
        and ${reason} not in ('superseded', 'alert_resolved')))
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
    .set({ active_ms: plus('active_ms', ms) })
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
    .set({ budget_usd_micros: plus('budget_usd_micros', micros) })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', run.id)
    .execute()
  await db
    .updateTable('agent_session')
    .set({ budget_usd_micros: plus('budget_usd_micros', micros) })
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
    .select(['id', 'status', 'reason'])
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
export const sumUsage = (db: Db, workspaceId: string, runId: string): Promise<UsageSum> =>
  db
    .selectFrom('agent_usage')
    .select((eb) => [
      count.as('model_calls'),
      sumOf('input_tokens').as('input_tokens'),
      sumOf('output_tokens').as('output_tokens'),
      sumOf('cache_read_tokens').as('cache_read_tokens'),
      sumOf('cost_usd_micros').as('cost_usd_micros'),
      eb.fn.max('model').as('model')
    ])
    .where('workspace_id', '=', workspaceId)
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow()
