import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { clock, now } from '../clock.js'
import { announceWork } from '../durable/leases.js'
import type { Db } from '../index.js'
import { isOneOf } from '../statement.js'
import { sweep } from '../workers.js'
import type { ShownPlan } from './tables.js'

export const confirmationColumns = [
  'c.id',
  'c.user_id',
  'c.kind',
  'c.session_id',
  'c.run_id',
  'c.tool_call_id',
  'c.status',
  'c.close_reason',
  'c.name',
  'c.arguments',
  'c.target',
  'c.facts',
  'c.summary',
  'c.preview',
  'c.risk',
  'c.risk_reasons',
  'c.editable',
  'c.input_digest',
  'c.proposed',
  'c.authors',
  'c.replaces',
  'c.thread_id',
  'c.requirement',
  'c.steps',
  'c.requested_at',
  'c.expires_at',
  'c.decided_at',
  'c.decided_by',
  'c.reason',
  'c.changes'
] as const

/** Whether the groups to which a question goes after a time count by now. */
export const isEscalated = sql<boolean>`coalesce(c.requested_at
  + make_interval(secs => (c.requirement->'escalate'->>'after_s')::float8) <= statement_timestamp(), false)`

export const selectConfirmations = (db: Db, workspaceId: string) =>
  db
    .selectFrom('agent_confirmation as c')
    .select(confirmationColumns)
    .select(isEscalated.as('escalated'))
    .where('c.workspace_id', '=', workspaceId)

export const selectTitled = (db: Db, workspaceId: string) =>
  selectConfirmations(db, workspaceId)
    .innerJoin('agent_session as s', (join) =>
      join.onRef('s.workspace_id', '=', 'c.workspace_id').onRef('s.id', '=', 'c.session_id')
    )
    .select('s.title as session_title')

/** @returns the call's question; the newest, when the state that an earlier one showed has changed */
export const findConfirmationOfCall = (db: Db, workspaceId: string, userId: string, callId: string) =>
  selectTitled(db, workspaceId).where('c.user_id', '=', userId).where('c.tool_call_id', '=', callId)
    .orderBy('c.id', 'desc').executeTakeFirst()

/** @returns the question, whoever asked it */
export const findConfirmation = (db: Db, workspaceId: string, id: string) =>
  selectTitled(db, workspaceId).where('c.id', '=', id).where('s.deleted_at', 'is', null).executeTakeFirst()

export type ConfirmationRecord = NonNullable<Awaited<ReturnType<typeof findConfirmation>>>

/** @returns what this person has approved: of what, in whose conversation, and whether that was just now */
export const findApproved = (db: Db, workspaceId: string, userId: string, id: string) =>
  db.selectFrom('agent_confirmation as c')
    .innerJoin('agent_session as s', (join) =>
      join.onRef('s.workspace_id', '=', 'c.workspace_id').onRef('s.id', '=', 'c.session_id'))
    .select(['c.session_id', 'c.name', 'c.arguments', 'c.target', 'c.summary', 'c.preview', 'c.risk', 'c.requirement',
      'c.decided_at', 'c.user_id as requested_by', 's.kind'])
    .select(sql<boolean>`c.decided_at > statement_timestamp() - interval '10 minutes'`.as('is_recent'))
    .where('c.workspace_id', '=', workspaceId).where('c.id', '=', id).where('c.kind', '=', 'tool')
    .where('c.status', '=', 'approved').where('c.decided_by', '=', userId).where('s.deleted_at', 'is', null)
    .executeTakeFirst()

/** Locks the run of a confirmation, then reads it: whoever votes, decides or closes goes through that lock. */
export const lockConfirmation = async (
  trx: Db,
  workspaceId: string,
  sessionId: string,
  id: string
) => {
  const run = await trx
    .selectFrom('agent_run as r')
    .innerJoin('agent_confirmation as c', (join) =>
      join.onRef('c.workspace_id', '=', 'r.workspace_id').onRef('c.run_id', '=', 'r.id')
    )
    .select(['r.id', 'r.status', 'r.session_id', 'r.reason', 'r.cancel_requested_at'])
    .where('c.workspace_id', '=', workspaceId)
    .where('c.session_id', '=', sessionId)
    .where('c.id', '=', id)
    .forUpdate('r')
    .executeTakeFirst()
  if (!run) return undefined
  const confirmation = await selectConfirmations(trx, workspaceId)
    .where('c.id', '=', id)
    .select(sql<boolean>`c.expires_at <= statement_timestamp()`.as('expired'))
    .executeTakeFirstOrThrow()
  return { run, confirmation }
}

export interface Decision {
  id: string
  status: 'approved' | 'rejected'
  reason: string | null
  /** What the person wants changed before it is asked again. */
  changes?: string | undefined
  decided_by: string
  /** What was approved instead of the question, and what the question was. */
  edited?: { plan: ShownPlan, proposed: ShownPlan, authors: string[] }
}

const planColumns = ({ arguments: args, ...plan }: ShownPlan) => ({
  arguments: JSON.stringify(args),
  target: JSON.stringify(plan.target),
  facts: JSON.stringify(plan.facts),
  summary: plan.summary,
  preview: JSON.stringify(plan.preview),
  risk: plan.risk,
  risk_reasons: JSON.stringify(plan.risk_reasons ?? []),
  input_digest: plan.input_digest
})

/** @returns when it was decided; undefined when it is not pending any more */
export const decideConfirmation = async (
  trx: Db,
  workspaceId: string,
  decision: Decision
): Promise<Date | undefined> => {
  const row = await trx
    .updateTable('agent_confirmation')
    .set({
      status: decision.status,
      reason: decision.reason,
      ...(decision.changes !== undefined && { changes: decision.changes }),
      decided_by: decision.decided_by,
      decided_at: clock,
      draft: null,
      ...(decision.edited && {
        ...planColumns(decision.edited.plan),
        proposed: JSON.stringify(decision.edited.proposed),
        authors: decision.edited.authors.length > 0 ? JSON.stringify(decision.edited.authors) : null
      })
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', decision.id)
    .where('status', '=', 'pending')
    .where('expires_at', '>', clock)
    .returning('decided_at')
    .executeTakeFirst()
  return row?.decided_at ?? undefined
}

/** Moves a waiting call to what was decided for it. */
export const decideCall = async (
  trx: Db,
  workspaceId: string,
  id: string,
  change: {
    status: 'approved' | 'rejected'
    effective_input?: Record<string, unknown>
    input_digest?: string
    decided_by: string
  }
) => {
  await trx
    .updateTable('agent_tool_call')
    .set({
      status: change.status,
      decided_by: change.decided_by,
      ...(change.effective_input ? { effective_input: JSON.stringify(change.effective_input) } : {}),
      ...(change.input_digest ? { input_digest: change.input_digest } : {})
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('status', '=', 'awaiting')
    .execute()
}

export const findCall = (db: Db, workspaceId: string, id: string) =>
  db
    .selectFrom('agent_tool_call')
    .select(['id', 'name', 'status', 'input', 'effective_input', 'input_digest'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

/**
 * Makes a waiting run ready; whoever did that may be lost before it claims the run.
 * @returns whether the run is parked: it becomes ready when its session is free
 */
export const wakeRun = async (trx: Db, workspaceId: string, runId: string): Promise<boolean> => {
  const woken = await trx
    .updateTable('agent_run')
    .set({ status: 'ready', attempts: 0, wake_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', runId)
    .where('status', '=', 'awaiting_confirmation')
    .executeTakeFirst()
  if (woken.numUpdatedRows > 0n) {
    await announceWork(trx, 'agent_run')
    return false
  }
  const parked = await trx.selectFrom('agent_run').select('id')
    .where('workspace_id', '=', workspaceId).where('id', '=', runId).where('status', '=', 'parked').executeTakeFirst()
  return parked !== undefined
}

/** @returns runs with confirmations that are due to expire, and in how many milliseconds the next one is */
export const findExpired = (db: Db, limit: number) => sweep(db, (reach) => {
  const pending = db.selectFrom('agent_confirmation').where(reach(isOneOf('status', ['pending'])))
  const due = pending.select(['workspace_id', 'run_id']).distinct().where('expires_at', '<=', now).limit(limit)
  const next = pending.where('expires_at', '>', now)
    .select(sql<number | null>`(extract(epoch from min(expires_at) - now()) * 1000)::float8`.as('ms'))
  return db.selectNoFrom([jsonArrayFrom(due).as('due'), next.as('next_ms')]).executeTakeFirstOrThrow()
})

/**
 * Expires what is due of one run and wakes it, once, whatever the number of instances that sweep.
 * @param onParked called in the transaction for a run that is parked
 */
export const expireConfirmations = (db: Db, workspaceId: string, runId: string,
  onParked: (trx: Db) => Promise<void>): Promise<number> =>
  db.transaction().execute(async (trx) => {
    await trx
      .selectFrom('agent_run')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', runId)
      .forUpdate()
      .executeTakeFirst()
    const expired = await trx
      .updateTable('agent_confirmation')
      .set({ status: 'expired' })
      .where('workspace_id', '=', workspaceId)
      .where('run_id', '=', runId)
      .where('status', '=', 'pending')
      .where('expires_at', '<=', clock)
      .returning('tool_call_id')
      .execute()
    const calls = expired.flatMap((row) => row.tool_call_id ?? [])
    if (calls.length > 0) {
      await trx
        .updateTable('agent_tool_call')
        .set({ status: 'expired' })
        .where('workspace_id', '=', workspaceId)
        .where('id', 'in', calls)
        .where('status', '=', 'awaiting')
        .execute()
    }
    if (expired.length > 0 && await wakeRun(trx, workspaceId, runId)) await onParked(trx)
    return expired.length
  })

export type RunConfirmation = Awaited<ReturnType<typeof listRunConfirmations>>[number]

/** @returns the run's confirmations, in the order in which they were asked */
export const listRunConfirmations = (db: Db, workspaceId: string, runId: string) =>
  db
    .selectFrom('agent_confirmation as c')
    .select([...confirmationColumns, 'c.announced'])
    .where('c.workspace_id', '=', workspaceId)
    .where('c.run_id', '=', runId)
    .orderBy('c.requested_at')
    .orderBy('c.id')
    .execute()
