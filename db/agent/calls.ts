import { sql } from 'kysely'
import { clockPlus } from '../clock.js'
import type { Db } from '../index.js'

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
  'is_error'
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

/**
 * Claims an approved call before it is sent: one row, one winner, committed first.
 * @returns false when someone else has it, the run is lost, or a cancel was asked for
 */
export const claimCall = async (
  db: Db,
  key: { workspace_id: string; run_id: string; epoch: number },
  id: string
): Promise<boolean> => {
  const { rows } = await sql<{ id: string }>`
    update agent_tool_call as call set status = 'dispatching', claim_epoch = ${key.epoch},
      dispatched_at = clock_timestamp()
    where call.workspace_id = ${key.workspace_id} and call.id = ${id} and call.status = 'approved'
      and exists (select 1 from agent_run run where run.workspace_id = ${key.workspace_id} and run.id = call.run_id
        and run.status = 'running' and run.lease_epoch = ${key.epoch} and run.cancel_requested_at is null)
    returning call.id`.execute(db)
  return rows.length === 1
}

/** Takes over a call that an earlier owner of the run had claimed; it will be sent again with the same key. */
export const reclaimCall = async (
  db: Db,
  key: { workspace_id: string; run_id: string; epoch: number },
  id: string
): Promise<boolean> => {
  const { rows } = await sql<{ id: string }>`
    update agent_tool_call as call set claim_epoch = ${key.epoch}
    where call.workspace_id = ${key.workspace_id} and call.id = ${id} and call.status = 'dispatching'
      and call.claim_epoch < ${key.epoch}
      and exists (select 1 from agent_run run where run.workspace_id = ${key.workspace_id} and run.id = call.run_id
        and run.status = 'running' and run.lease_epoch = ${key.epoch})
    returning call.id`.execute(db)
  return rows.length === 1
}

/**
 * @returns whether the session already sent a write with these arguments, or tried to, and when an approval asked now
 *   expires
 */
export const findProposalFacts = (
  db: Db,
  workspaceId: string,
  sessionId: string,
  call: { name: string, args: Record<string, unknown> },
  ttlSeconds: number
) => {
  const sent = db
    .selectFrom('agent_tool_call')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('session_id', '=', sessionId)
    .where('name', '=', call.name)
    .where(sql<string>`effective_input::text`, '=', JSON.stringify(call.args))
    .where('status', 'in', ['succeeded', 'unknown'])
  return db
    .selectNoFrom((eb) => eb.exists(sent).$castTo<boolean>().as('sent_before'))
    .select(clockPlus(ttlSeconds).as('expires_at'))
    .executeTakeFirstOrThrow()
}
