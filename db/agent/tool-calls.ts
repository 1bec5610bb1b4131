import { sql } from 'kysely'
import type { Db } from '../index.js'

export interface NewToolCallRun {
  workspace_id: string
  user_id: string
  session_id: string
  run_id: string
  message_id: string
  principal: object
  content: unknown[]
  title: string
  model: string
  system_hash: string
  lease_owner: string
  lease_ms: number
  max_waiting: number
  /** How many calls the run begins with. */
  calls: number
}

/**
 * Begins a run without a model in a session of its own, leased by the caller until it has committed the question.
 * @returns false when more proposed calls of the user would wait than may
 */
export const startToolCallRun = async (db: Db, run: NewToolCallRun): Promise<boolean> => {
  const { rows } = await sql<{ id: string }>`
    with waiting as (
      select count(*)::integer as waiting from agent_run r
        join agent_tool_call c on c.workspace_id = r.workspace_id and c.run_id = r.id
      where r.workspace_id = ${run.workspace_id} and r.user_id = ${run.user_id} and r.kind = 'tool_call'
        and r.status in ('ready', 'running', 'awaiting_confirmation') and c.result_model is null),
    session as (
      insert into agent_session (workspace_id, id, user_id, kind, title, title_source, model, system_hash,
        next_message, budget_usd_micros)
      select ${run.workspace_id}::uuid, ${run.session_id}::uuid, ${run.user_id}::uuid, 'tool_call', ${run.title},
        'fallback', ${run.model}, ${run.system_hash}, 2, 0
      from waiting where waiting + ${run.calls}::integer <= ${run.max_waiting}::integer returning id),
    message as (
      insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content)
      select ${run.workspace_id}::uuid, id, ${run.message_id}::uuid, ${run.run_id}::uuid, 1, 'user',
        ${JSON.stringify(run.content)}::json from session)
    insert into agent_run (workspace_id, id, session_id, user_id, kind, principal, status, attempts, lease_owner,
      lease_epoch, lease_until, budget_usd_micros)
    select ${run.workspace_id}::uuid, ${run.run_id}::uuid, id, ${run.user_id}::uuid, 'tool_call',
      ${JSON.stringify(run.principal)}::json, 'running', 0, ${run.lease_owner}::uuid, 1,
      now() + make_interval(secs => ${run.lease_ms / 1000}), 0
    from session returning id`.execute(db)
  return rows.length === 1
}

const proposed = (db: Db, workspaceId: string, userId: string) =>
  db
    .selectFrom('agent_tool_call as c')
    .innerJoin('agent_run as r', (join) =>
      join.onRef('r.workspace_id', '=', 'c.workspace_id').onRef('r.id', '=', 'c.run_id'))
    .where('c.workspace_id', '=', workspaceId)
    .where('r.user_id', '=', userId)
    .where('r.kind', '=', 'tool_call')

/** @returns the same call by the same user that still waits for its decision */
export const findWaitingCall = (db: Db, workspaceId: string, userId: string, digest: string) =>
  proposed(db, workspaceId, userId)
    .select(['c.id', 'c.run_id'])
    .where('c.input_digest', '=', digest)
    .where('c.status', '=', 'awaiting')
    .executeTakeFirst()

/** @returns a call of the user: one of their conversations, or one that a client proposed */
export const findOwnCall = (db: Db, workspaceId: string, userId: string, id: string) =>
  db
    .selectFrom('agent_tool_call as c')
    .innerJoin('agent_session as s', (join) =>
      join.onRef('s.workspace_id', '=', 'c.workspace_id').onRef('s.id', '=', 'c.session_id'))
    .where('c.workspace_id', '=', workspaceId)
    .where('s.user_id', '=', userId)
    .where('s.deleted_at', 'is', null)
    .select(['c.id', 'c.session_id', 'c.run_id', 'c.name', 'c.input', 'c.effective_input', 'c.effect', 'c.status',
      'c.decided_by', 'c.http_status', 'c.result', 'c.truncated', 'c.created_at', 'c.finished_at'])
    .where('c.id', '=', id)
    .executeTakeFirst()
