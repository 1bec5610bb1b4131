import { sql, type RawBuilder } from 'kysely'
import { insertAudit, type AuditEntry } from '../audit.js'
import { clockPlus } from '../clock.js'
import type { Db } from '../index.js'
import { isReplaced, readTimeline, waitForStandby } from '../primary.js'

const columns = [
  'id',
  'message_id',
  'step',
  'ordinal',
  'tool_use_id',
  'name',
  'tool_version',
  'effect',
  'input',
  'effective_input',
  'input_digest',
  'status',
  'decided_by',
  'idempotency_key',
  'claim_epoch',
  'dispatched_at',
  'http_status',
  'result',
  'result_model',
  'truncated',
  'is_error',
  'finished_at'
] as const

/** @returns the run's calls in the order the model made them */
export const listCalls = (db: Db, workspaceId: string, runId: string) =>
  db
    .selectFrom('agent_tool_call')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .where('run_id', '=', runId)
    .orderBy('step')
    .orderBy('ordinal')
    .execute()

export type CallRecord = Awaited<ReturnType<typeof listCalls>>[number]

/** @returns the session's calls, for its history */
export const listSessionCalls = (db: Db, workspaceId: string, sessionId: string, messageIds: string[]) =>
  messageIds.length === 0
    ? Promise.resolve([])
    : db
      .selectFrom('agent_tool_call')
      .select(columns)
      .where('workspace_id', '=', workspaceId)
      .where('session_id', '=', sessionId)
      .where('message_id', 'in', messageIds)
      .orderBy('ordinal')
      .execute()

/** @returns of some calls of the workspace, whoever asked: how far each is */
export const listOutcomes = (db: Db, workspaceId: string, ids: string[]) =>
  db
    .selectFrom('agent_tool_call')
    .select(['id', 'status', 'finished_at'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .execute()

type RunKey = { workspace_id: string; run_id: string; epoch: number }

const approvalOf = (db: Db, workspaceId: string, id: string, timeline: string | null) => db
  .selectFrom('agent_confirmation')
  .select('id')
  .where('workspace_id', '=', workspaceId)
  .where('tool_call_id', '=', id)
  .where('status', '=', 'approved')
  .where(isReplaced('timeline', timeline))

/** A call that ran without a question has no approval: its run says when it was judged. */
const unaskedOf = (db: Db, workspaceId: string, id: string, timeline: string | null) => db
  .selectFrom('agent_tool_call as c')
  .innerJoin('agent_run as r', (join) =>
    join.onRef('r.workspace_id', '=', 'c.workspace_id').onRef('r.id', '=', 'c.run_id'))
  .select('c.id')
  .where('c.workspace_id', '=', workspaceId)
  .where('c.id', '=', id)
  .where(unasked('c.decided_by'))
  .where(isReplaced('r.timeline', timeline))

/** What lets a call run without a question stands in `decided_by`. */
const unasked = (column: string) =>
  sql<boolean>`(${sql.ref(column)} like 'policy:%' or ${sql.ref(column)} like 'grant:%')`

/** @returns whether a standby or a backup took over since the call was asked about: it may have run without a trace */
export const isBeforeFailover = async (db: Db, workspaceId: string, id: string): Promise<boolean> => {
  const timeline = await readTimeline(db)
  return await approvalOf(db, workspaceId, id, timeline).executeTakeFirst() !== undefined ||
    await unaskedOf(db, workspaceId, id, timeline).executeTakeFirst() !== undefined
}

/** A claim is what a take-over reads first: it is on the standby before anything is sent. */
const claimDurably = (db: Db, sent: AuditEntry, claimUnder: (timeline: string | null) => RawBuilder<{ id: string }>):
Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const timeline = await waitForStandby(trx)
    const isClaimed = (await claimUnder(timeline).execute(trx)).rows.length === 1
    if (isClaimed) await insertAudit(trx, sent)
    return isClaimed
  })

/**
 * Claims an approved call before it is sent: one row, one winner, committed first.
 * @param sent what the record says of it
 * @returns false when someone else has it, the run is lost, a cancel was asked for, or it was asked before a failover
 */
export const claimCall = (db: Db, key: RunKey, id: string, sent: AuditEntry): Promise<boolean> =>
  claimDurably(db, sent, (timeline) => sql<{ id: string }>`
    update agent_tool_call as call set status = 'dispatching', claim_epoch = ${key.epoch},
      dispatched_at = statement_timestamp()
    where call.workspace_id = ${key.workspace_id} and call.id = ${id}
      and call.status in ('approved', 'auto_approved')
      and exists (select 1 from agent_run run where run.workspace_id = ${key.workspace_id} and run.id = call.run_id
        and run.status = 'running' and run.lease_epoch = ${key.epoch} and run.cancel_requested_at is null)
      and not exists (${approvalOf(db, key.workspace_id, id, timeline)})
      and not exists (${unaskedOf(db, key.workspace_id, id, timeline)})
    returning call.id`)

/**
 * Takes over a call that an earlier owner of the run had claimed; it will be sent again with the same key.
 * @returns as `claimCall`
 */
export const reclaimCall = (db: Db, key: RunKey, id: string, sent: AuditEntry): Promise<boolean> =>
  claimDurably(db, sent, (timeline) => sql<{ id: string }>`
    update agent_tool_call as call set claim_epoch = ${key.epoch}
    where call.workspace_id = ${key.workspace_id} and call.id = ${id} and call.status = 'dispatching'
      and call.claim_epoch < ${key.epoch}
      and exists (select 1 from agent_run run where run.workspace_id = ${key.workspace_id} and run.id = call.run_id
        and run.status = 'running' and run.lease_epoch = ${key.epoch})
      and not exists (${approvalOf(db, key.workspace_id, id, timeline)})
      and not exists (${unaskedOf(db, key.workspace_id, id, timeline)})
    returning call.id`)

const isOn = ({ kind, id }: { kind: string, id: string }) =>
  sql<boolean>`coalesce(target->>'kind' = ${kind} and target->>'id' = ${id}, false)`

/** A call that a person had changed before it was approved: what was asked, what ran instead, and who changed it. */
export interface EditedCall {
  proposed: Record<string, unknown>
  arguments: Record<string, unknown>
  by: string
}

/** @returns the last approval of the session that edited a call of the tool on the target */
export const findEditedCall = (db: Db, workspaceId: string, sessionId: string,
  { name, target }: Pick<ProposedCall, 'name'> & { target: NonNullable<ProposedCall['target']> }):
Promise<EditedCall | undefined> => db
  .selectFrom('agent_confirmation as c')
  .innerJoin('agent_tool_call as t', (join) =>
    join.onRef('t.workspace_id', '=', 'c.workspace_id').onRef('t.id', '=', 'c.tool_call_id'))
  .select(['c.arguments', sql<Record<string, unknown>>`c.proposed->'arguments'`.as('proposed')])
  .select(sql<string>`coalesce(c.authors->>-1, c.user_id::text)`.as('by'))
  .where('t.workspace_id', '=', workspaceId).where('t.session_id', '=', sessionId).where('t.name', '=', name)
  .where('t.effect', '=', 'write')
  .where('c.status', '=', 'approved').where('c.proposed', 'is not', null).where(isOn(target))
  .orderBy('c.id', 'desc').limit(1).executeTakeFirst()

/** What is asked: a tool, with its arguments, on a target where it has one. */
export interface ProposedCall {
  name: string
  args: Record<string, unknown>
  target?: { kind: string, id: string } | null
}

/**
 * The thread of the run's last question of the tool on the target, if a person wants that question changed; of its last
 * question of the tool where there was none on the target: they may have asked for another one. A run that was parked
 * is the same run when it goes on.
 */
const threadOf = (db: Db, workspaceId: string, runId: string, { name, target }: ProposedCall) => db
  .selectFrom(db
    .selectFrom('agent_confirmation')
    .select(['id', 'thread_id', 'changes'])
    .where('workspace_id', '=', workspaceId)
    .where('run_id', '=', runId)
    .where('name', '=', name)
    .$call((query) => target ? query.orderBy(isOn(target), 'desc') : query)
    .orderBy('id', 'desc')
    .limit(1)
    .as('last'))
  .select(sql<string>`coalesce(last.thread_id, last.id)`.as('thread_id'))
  .where('last.changes', 'is not', null)

/**
 * @returns whether the session already sent a write with these arguments, or tried to; whether the run began before a
 *   failover; the thread that the question continues; and when an approval asked now expires
 */
export const findProposalFacts = async (
  db: Db,
  workspaceId: string,
  { session_id: sessionId, run_id: runId }: { session_id: string, run_id: string },
  call: ProposedCall,
  ttlSeconds: number
) => {
  const timeline = await readTimeline(db)
  const failover = db
    .selectFrom('agent_run')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', runId)
    .where(isReplaced('timeline', timeline))
  const sent = db
    .selectFrom('agent_tool_call')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('session_id', '=', sessionId)
    .where('name', '=', call.name)
    .where(sql<string>`effective_input::text`, '=', JSON.stringify(call.args))
    .where('status', 'in', ['succeeded', 'unknown'])
  return db
    .selectNoFrom((eb) => [
      eb.exists(sent).$castTo<boolean>().as('sent_before'),
      eb.exists(failover).$castTo<boolean>().as('is_before_failover'),
      threadOf(db, workspaceId, runId, call).as('thread_id')
    ])
    .select(clockPlus(ttlSeconds).as('expires_at'))
    .executeTakeFirstOrThrow()
}

/**
 * @returns whether the session has sent this very call without learning what became of it, and whether the run began
 * before a failover: neither runs again without a person
 */
export const findAutoFacts = async (
  db: Db,
  workspaceId: string,
  { session_id: sessionId, run_id: runId }: { session_id: string, run_id: string },
  call: { name: string, args: Record<string, unknown> }
) => {
  const failover = db.selectFrom('agent_run').select('id')
    .where('workspace_id', '=', workspaceId).where('id', '=', runId)
    .where(isReplaced('timeline', await readTimeline(db)))
  const unknown = db.selectFrom('agent_tool_call').select('id')
    .where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId).where('name', '=', call.name)
    .where(sql<string>`effective_input::text`, '=', JSON.stringify(call.args)).where('status', '=', 'unknown')
  return db.selectNoFrom((eb) => [
    eb.exists(unknown).$castTo<boolean>().as('is_unknown'),
    eb.exists(failover).$castTo<boolean>().as('is_before_failover')
  ]).executeTakeFirstOrThrow()
}

/** What lets a call run, and with which plan. */
export interface Allowed { by: string, arguments: Record<string, unknown>, input_digest: string, tool_version: string }

/** Lets a call that waits, or that other reasons let run, run without a question; the caller holds the run. */
export const allowCall = async (trx: Db, workspaceId: string, id: string, allowed: Allowed): Promise<void> => {
  await trx
    .updateTable('agent_tool_call')
    .set({
      status: 'auto_approved',
      decided_by: allowed.by,
      tool_version: allowed.tool_version,
      effective_input: JSON.stringify(allowed.arguments),
      input_digest: allowed.input_digest
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('status', 'in', ['awaiting', 'auto_approved'])
    .execute()
}
