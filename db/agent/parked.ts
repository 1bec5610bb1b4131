import { sql } from 'kysely'
import { count } from '../columns.js'
import { now } from '../clock.js'
import { leaseUntil, type Claimant, type WorkKey } from '../durable/leases.js'
import { duplicateOf } from '../connection-errors.js'
import type { Db } from '../index.js'
import type { RunKey } from './commit-run.js'
import { claimedColumns, findLiveRun, hasDecided, type ClaimedRun } from './runs.js'

/** Runs that wait for approvals while other runs go on with their conversation. */

/**
 * Takes a run that waits for approvals of calls, to park it: what asks for a larger budget is of no call, and the next
 * run has a budget of its own. @returns undefined when there is no such run that waits
 */
export const claimWaiting = async (db: Db, { workspace_id, id }: WorkKey,
  { owner, leaseMs }: Pick<Claimant, 'owner' | 'leaseMs'>): Promise<ClaimedRun | undefined> => {
  const { rows } = await sql<ClaimedRun>`update agent_run
    set status = 'running', lease_owner = ${owner}, lease_epoch = lease_epoch + 1, lease_until = ${leaseUntil(leaseMs)},
      attempts = 0
    where workspace_id = ${workspace_id} and id = ${id} and status = 'awaiting_confirmation'
      and cancel_requested_at is null
      and exists (select 1 from agent_tool_call c where c.workspace_id = ${workspace_id} and c.run_id = ${id}
        and c.result_model is null)
    returning ${sql.join(claimedColumns.map((column) => sql.ref(column)))}`.execute(db)
  return rows[0]
}

/** @returns whether nothing was decided of the run, nor a cancel requested; the caller has its lock */
export const isUndecided = async (trx: Db, { workspace_id, run_id }: RunKey): Promise<boolean> => {
  const cancelled = await trx.selectFrom('agent_run').select('id').where('workspace_id', '=', workspace_id)
    .where('id', '=', run_id).where('cancel_requested_at', 'is not', null).executeTakeFirst()
  return !cancelled && !await hasDecided(trx, workspace_id, run_id)
}

const lockParked = (trx: Db, { workspace_id, id }: WorkKey) =>
  trx.selectFrom('agent_run').select(['session_id', 'cancel_requested_at'])
    .where('workspace_id', '=', workspace_id).where('id', '=', id).where('status', '=', 'parked')
    .forUpdate().executeTakeFirst()

/** The session's live run, which goes before. */
export type Blocking = NonNullable<Awaited<ReturnType<typeof findLiveRun>>> & { session_id: string }

/**
 * Makes a parked run ready that has something to do.
 * @returns whether it is ready now: false, it is not parked or nothing was decided; or the live run of its session
 */
export const resumeParked = (db: Db, key: WorkKey): Promise<boolean | Blocking> =>
  db.transaction().execute(async (trx) => {
    const { workspace_id, id } = key
    const run = await lockParked(trx, key)
    if (!run || !(run.cancel_requested_at || await hasDecided(trx, workspace_id, id))) return false
    const live = await findLiveRun(trx, workspace_id, run.session_id)
    if (live) return { ...live, session_id: run.session_id }
    await trx.updateTable('agent_run').set({ status: 'ready', attempts: 0, wake_at: now })
      .where('workspace_id', '=', workspace_id).where('id', '=', id).execute()
    return true
  })

/** @returns whether an error says that another run of the session began at the same moment */
export const isSessionTaken = duplicateOf('agent_run_live')

/** @returns the runs of a session that are parked */
export const listParked = (db: Db, workspaceId: string, userId: string, sessionId: string) =>
  db.selectFrom('agent_run').select('id').where('workspace_id', '=', workspaceId).where('status', '=', 'parked')
    .where('id', 'in', db.selectFrom('agent_confirmation as c').select('c.run_id')
      .where('c.workspace_id', '=', workspaceId).where('c.user_id', '=', userId)
      .where('c.session_id', '=', sessionId).where('c.status', '=', sql.lit('pending'))).execute()

/** @returns how many runs of a person are parked, with a question that waits */
export const countParked = async (db: Db, workspaceId: string, userId: string): Promise<number> => {
  const row = await db.selectFrom('agent_run').select(count.as('count'))
    .where('workspace_id', '=', workspaceId).where('status', '=', 'parked')
    .where('id', 'in', db.selectFrom('agent_confirmation as c').select('c.run_id')
      .where('c.workspace_id', '=', workspaceId).where('c.user_id', '=', userId)
      .where('c.status', '=', sql.lit('pending'))).executeTakeFirstOrThrow()
  return row.count
}

/** @returns the questions of a session's parked runs that wait, by the index of what waits for the person */
export const listParkedQuestions = (db: Db, workspaceId: string, userId: string, sessionId: string) =>
  db.selectFrom('agent_confirmation as c')
    .innerJoin('agent_run as r', (join) =>
      join.onRef('r.workspace_id', '=', 'c.workspace_id').onRef('r.id', '=', 'c.run_id'))
    .select(['c.id', 'c.run_id', 'c.tool_call_id', 'c.name', 'c.target', 'c.input_digest', 'c.requirement'])
    .where('c.workspace_id', '=', workspaceId).where('c.user_id', '=', userId).where('c.session_id', '=', sessionId)
    .where('c.status', '=', sql.lit('pending')).where('c.expires_at', '>', now).where('r.status', '=', 'parked')
    .execute()

export type ParkedQuestion = Awaited<ReturnType<typeof listParkedQuestions>>[number]

/**
 * Closes a question of a parked run because a newer write acts on its target, and with it what waited for its call. One
 * that was decided meanwhile stays decided. @returns whether it was closed
 */
export const supersedeParked = async (trx: Db, workspaceId: string, question: ParkedQuestion): Promise<boolean> => {
  const { id, run_id, tool_call_id } = question
  if (!await lockParked(trx, { workspace_id: workspaceId, id: run_id })) return false
  const closed = await trx.updateTable('agent_confirmation').set({ status: 'closed', close_reason: 'superseded' })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where('status', '=', 'pending').executeTakeFirst()
  if (closed.numUpdatedRows === 0n) return false
  await trx.updateTable('agent_tool_call').set({ status: 'superseded' })
    .where('workspace_id', '=', workspaceId).where('run_id', '=', run_id).where('status', '=', 'awaiting')
    .where((where) => where.or([
      where('id', '=', tool_call_id ?? ''),
      where.not(where.exists(where.selectFrom('agent_confirmation as c').select('c.id')
        .where('c.workspace_id', '=', workspaceId).where('c.run_id', '=', run_id)
        .whereRef('c.tool_call_id', '=', 'agent_tool_call.id')))
    ])).execute()
  return true
}

/** Closes what waits of a parked run that is to end. */
export const closeParked = async (trx: Db, workspaceId: string, runId: string, reason: string): Promise<void> => {
  await trx.updateTable('agent_confirmation').set({ status: 'closed', close_reason: reason })
    .where('workspace_id', '=', workspaceId).where('run_id', '=', runId).where('status', '=', 'pending').execute()
}

/** @returns the position of a run's stream at which its conversation went on without it; 0 where it never did */
export const findParkedPosition = async (db: Db, workspaceId: string, runId: string): Promise<number> => {
  const { rows } = await sql<{ position: number }>`select coalesce(max(position), 0) as position from stream_event
    where workspace_id = ${workspaceId} and stream_id = ${runId} and event = 'tool_call'
      and data->>'still_waits' = 'true'`.execute(db)
  return rows[0]?.position ?? 0
}
