import { sql, type RawBuilder } from 'kysely'
import type { Db } from './index.js'
import { isOneOf } from './statement.js'

export interface WaitingJobs {
  /** Queues that have jobs which are due. */
  due: string[]
  /** Milliseconds until another job is due; null when none waits. */
  next_ms: number | null
}

/** Reads the queue's own table, of which each process works off its jobs. */
export const findWaitingJobs = async (db: Db): Promise<WaitingJobs> => {
  const { rows } = await sql<WaitingJobs>`
    select coalesce(array_agg(distinct name) filter (where start_after <= now()), '{}') as due,
      (extract(epoch from min(start_after) filter (where start_after > now()) - now()) * 1000)::float8 as next_ms
    from jobs.job where state < 'active' and not blocked`.execute(db)
  return rows[0] ?? { due: [], next_ms: null }
}

/** @returns whether a job is due or under way, here or in another process */
export const hasUnfinishedJobs = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from jobs.job where state = 'active'
      or (state < 'active' and not blocked and start_after <= now())) as found`.execute(db)
  return rows[0]?.found ?? false
}

/** More leases than may be lost: whoever claims the work next writes its end, and does none of it. */
const lostTooOften = sql`attempts = 1000000000, lease_owner = null, lease_until = null, lease_epoch = lease_epoch + 1`

interface Ending { table: string, state: 'status' | 'state', live: readonly string[], set: RawBuilder<unknown> }

const ended = (status: string, reason: string) =>
  sql`status = ${sql.lit(status)}, status_reason = ${sql.lit(reason)}, finished_at = now(), lease_until = null,
    lease_epoch = lease_epoch + 1`

const elsewhere = 'imported: it was under way in the other installation'

/**
 * How work ends that an archive has in the middle: the installation that it comes from may go on with it. What has a
 * runner is given up by it, with its events; what AWS has begun is watched no more.
 */
const endings: Ending[] = [
  {
    table: 'agent_run',
    state: 'status',
    live: ['ready', 'running', 'awaiting_confirmation'],
    set: sql`status = 'ready', wake_at = now(), ${lostTooOften}`
  },
  {
    table: 'agent_run',
    state: 'status',
    live: ['parked'],
    set: sql`status = 'cancelled', reason = 'imported', finished_at = now()`
  },
  { table: 'content_generation', state: 'status', live: ['queued', 'running'], set: lostTooOften },
  {
    table: 'pse_generation',
    state: 'status',
    live: ['queued', 'running', 'checking', 'repairing', 'merging'],
    set: lostTooOften
  },
  { table: 'deployment_build', state: 'status', live: ['queued', 'running', 'cancelling'], set: lostTooOften },
  { table: 'service_deployment', state: 'status', live: ['queued'], set: ended('stopped', elsewhere) },
  {
    table: 'service_deployment',
    state: 'status',
    live: ['registering', 'updating', 'in_progress', 'rolling_back'],
    set: ended('timed_out', elsewhere)
  },
  {
    table: 'content_publication',
    state: 'state',
    live: ['scheduled', 'queued'],
    set: sql`state = 'cancelled', error = ${sql.lit(elsewhere)}, next_attempt_at = null, finished_at = now()`
  },
  {
    table: 'content_publication',
    state: 'state',
    live: ['running', 'retrying', 'unknown', 'awaiting_merge'],
    set: sql`state = 'failed', error = ${sql.lit(elsewhere)}, next_attempt_at = null, lease_until = null,
      lease_epoch = lease_epoch + 1, finished_at = now()`
  },
  {
    table: 'agent_trigger_firing',
    state: 'status',
    live: ['queued'],
    set: sql`status = 'skipped', reason = 'imported'`
  },
  {
    table: 'codehost_receipt',
    state: 'status',
    live: ['queued'],
    set: sql`status = 'ignored', error_code = 'imported', processed_at = now()`
  }
]

/** What a parked run had asked: the other installation may decide it. */
const closeParked = async (trx: Db, workspaceId: string): Promise<void> => {
  const runs = sql`select id from agent_run where workspace_id = ${workspaceId} and reason = 'imported'`
  await sql`update agent_confirmation set status = 'closed', close_reason = 'imported'
    where workspace_id = ${workspaceId} and status = 'pending' and run_id in (${runs})`.execute(trx)
  await sql`update agent_tool_call set status = 'cancelled', is_error = true, finished_at = now(),
      result_model = 'Cancelled before it was executed.'
    where workspace_id = ${workspaceId} and result_model is null and run_id in (${runs})`.execute(trx)
}

/** Nothing of a record is about to be published any more. */
const unschedule = (trx: Db, workspaceId: string) => sql`update content set scheduled_version = null
  where workspace_id = ${workspaceId} and scheduled_version is not null`.execute(trx)

/**
 * Turns the triggers off: the other installation may go on with them, and each event would begin a run in both.
 * @returns how many
 */
const turnOffTriggers = async (trx: Db, workspaceId: string): Promise<number> => {
  const { numAffectedRows } = await sql`update agent_trigger set enabled = false, off_reason = 'imported',
    revision = revision + 1, updated_at = now() where workspace_id = ${workspaceId} and enabled`.execute(trx)
  return Number(numAffectedRows)
}

/** Stops forwarding the record: the other installation may go on with that, and the receiver would hear two. */
const turnOffDestinations = (trx: Db, workspaceId: string) => sql`update audit_destination set enabled = false,
  off_reason = 'imported', lease_until = null, revision = revision + 1, updated_at = now()
  where workspace_id = ${workspaceId} and enabled`.execute(trx)

/** Channels send from the other installation, too: each message would come twice. */
const turnOffChannels = (trx: Db, workspaceId: string) => sql`update channel set enabled = false,
  off_reason = 'imported', revision = revision + 1, updated_at = now()
  where workspace_id = ${workspaceId} and enabled`.execute(trx)

/** Leases on what is no work: whoever held them is elsewhere. */
const freeIdentities = (trx: Db, workspaceId: string) => sql`update codehost_identity set lease_until = null
  where workspace_id = ${workspaceId} and lease_until is not null`.execute(trx)

/** Ends what a workspace has under way: in the transaction that imports it. @returns how much, by table */
export const endUnfinished = async (trx: Db, workspaceId: string): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { table, state, live, set } of endings) {
    const { numAffectedRows } = await sql`update ${sql.table(table)} set ${set}
      where workspace_id = ${workspaceId} and ${isOneOf(state, live)}`.execute(trx)
    if (numAffectedRows) counts[table] = (counts[table] ?? 0) + Number(numAffectedRows)
  }
  await closeParked(trx, workspaceId)
  const turnedOff = await turnOffTriggers(trx, workspaceId)
  if (turnedOff > 0) counts.agent_trigger = turnedOff
  await turnOffDestinations(trx, workspaceId)
  await turnOffChannels(trx, workspaceId)
  await unschedule(trx, workspaceId)
  await freeIdentities(trx, workspaceId)
  return counts
}

/**
 * Accounts that used the identity of Steward itself need another way here: it is this installation's.
 * @returns how many
 */
export const dropAmbient = async (trx: Db, workspaceId: string): Promise<number> => {
  const auth = JSON.stringify({ type: 'access_keys', access_key_id_hint: '', rotated_at: new Date().toISOString() })
  const { numAffectedRows } = await sql`update cloud_account set status = 'unverified', secret = null, auth = ${auth}
    where workspace_id = ${workspaceId} and auth->>'type' = 'ambient'`.execute(trx)
  return Number(numAffectedRows)
}
