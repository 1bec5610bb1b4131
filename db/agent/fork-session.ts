import { sql } from 'kysely'
import type { Db } from '../index.js'
import { copyAttachments } from './attachments.js'

export interface Fork {
  workspaceId: string
  /** The session that goes on as it is. */
  from: string
  /** The new one. */
  to: string
  /** Number of the first message that it does not have. */
  before: number
  budgetUsdMicros: number
}

/** @returns the number of a message that the person wrote in a session of theirs */
export const findOwnMessage = async (db: Db, workspaceId: string, sessionId: string, id: string):
Promise<number | undefined> => {
  const row = await db.selectFrom('agent_message').select('seq')
    .where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId).where('id', '=', id)
    .where('role', '=', 'user').where('search_text', '!=', '').where('compaction', 'is', null)
    .executeTakeFirst()
  return row?.seq
}

/** @returns the number of the first message that the person wrote after this one; null when there is none */
export const findFollowing = async (db: Db, workspaceId: string, sessionId: string, id: string):
Promise<number | null | undefined> => {
  const row = await db.selectFrom('agent_message as m')
    .select(({ selectFrom }) => selectFrom('agent_message as n').select(({ fn }) => fn.min('n.seq').as('seq'))
      .where('n.workspace_id', '=', workspaceId).where('n.session_id', '=', sessionId)
      .whereRef('n.seq', '>', 'm.seq').where('n.role', '=', 'user').where('n.search_text', '!=', '')
      .where('n.compaction', 'is', null).as('next'))
    .where('m.workspace_id', '=', workspaceId).where('m.session_id', '=', sessionId).where('m.id', '=', id)
    .where('m.compaction', 'is', null)
    .executeTakeFirst()
  return row?.next
}

/** @returns the number of the next message of a person's conversation */
export const findNextMessage = async (db: Db, workspaceId: string, userId: string, id: string):
Promise<number | undefined> => {
  const row = await db.selectFrom('agent_session').select('next_message')
    .where('workspace_id', '=', workspaceId).where('user_id', '=', userId).where('id', '=', id)
    .where('kind', '=', 'chat').where('deleted_at', 'is', null).executeTakeFirst()
  return row?.next_message
}

/** An id that the new session decides: a run and its calls stay the old session's, and nothing works on a copy. */
const derived = (column: string, to: string) => sql`md5(${sql.ref(column)}::text || ${to}::text)::uuid`

const copySession = (trx: Db, { workspaceId, from, to, before, budgetUsdMicros }: Fork) => sql`
  insert into agent_session (workspace_id, id, user_id, kind, title, title_source, model, own_model, effort,
    thinking, model_since, system_hash, next_message, budget_usd_micros)
  select workspace_id, ${to}::uuid, user_id, kind, title, title_source, model, own_model, effort, thinking,
    least(model_since, ${before}::bigint), system_hash, ${before}::bigint, ${budgetUsdMicros}::bigint
  from agent_session where workspace_id = ${workspaceId} and id = ${from}`.execute(trx)

/** Summaries stay behind: what they stand for is there, and is weighed anew. */
const copyMessages = (trx: Db, { workspaceId, from, to, before }: Fork) => sql`
  insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text, stop_reason,
    model, created_at, sent)
  select workspace_id, ${to}::uuid, id, ${derived('run_id', to)}, seq, role, content, search_text, stop_reason,
    model, created_at, sent
  from agent_message
  where workspace_id = ${workspaceId} and session_id = ${from} and seq < ${before}::bigint
    and compaction is null`.execute(trx)

/** Calls are copied as they ended; the approval of one that waits is of the old session alone. */
const copyCalls = (trx: Db, { workspaceId, from, to, before }: Fork) => sql`
  insert into agent_tool_call (workspace_id, id, run_id, session_id, message_id, step, ordinal, tool_use_id, name,
    tool_version, effect, input, effective_input, input_digest, status, decided_by, idempotency_key, claim_epoch,
    dispatched_at, http_status, result, result_model, truncated, is_error, finished_at, created_at)
  select c.workspace_id, ${derived('c.id', to)}, ${derived('c.run_id', to)}, ${to}::uuid, c.message_id, c.step,
    c.ordinal, c.tool_use_id, c.name, c.tool_version, c.effect, c.input, c.effective_input, c.input_digest,
    case when c.result_model is null then 'cancelled' else c.status end, c.decided_by, c.idempotency_key,
    c.claim_epoch, c.dispatched_at, c.http_status, c.result,
    coalesce(c.result_model, 'It waits in the conversation that this one is a copy of.'), c.truncated, c.is_error,
    coalesce(c.finished_at, now()), c.created_at
  from agent_tool_call c join agent_message m on m.workspace_id = c.workspace_id and m.session_id = c.session_id
    and m.id = c.message_id
  where c.workspace_id = ${workspaceId} and m.workspace_id = ${workspaceId} and c.session_id = ${from}
    and m.seq < ${before}::bigint`.execute(trx)

/** Copies a conversation up to a message into a new session; in a transaction. */
export const forkSession = async (trx: Db, fork: Fork): Promise<void> => {
  await copySession(trx, fork)
  await copyMessages(trx, fork)
  await copyCalls(trx, fork)
  await copyAttachments(trx, fork.workspaceId, fork.from, fork.to)
}
