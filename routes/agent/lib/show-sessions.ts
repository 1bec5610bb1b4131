import type { Static } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { paginate, paginateJson } from '../../../lib/http/paginate.js'
import { listSessionCalls, type CallRecord } from '../../../db/agent/calls.js'
import { listConfirmations } from '../../../db/agent/confirmations.js'
import { listVisibleMessages } from '../../../db/agent/messages.js'
import { findSession, listSessions, type SessionRow } from '../../../db/agent/sessions.js'
import type { Principal } from '../../../lib/security/principal.js'
import type { SessionQuery } from '../../../schemas/agent/sessions.js'
import { SessionNotFound } from './errors.js'
import { toMoney } from './finish.js'
import { summaryText, visibleText } from './history.js'
import { toConfirmation } from './list-confirmations.js'
import { redact } from './redact.js'
import { windowOf } from './weigh-context.js'

type Deps = Pick<FastifyInstance, 'db' | 'cursors' | 'llm' | 'config'>

const liveRun = (row: SessionRow) => {
  if (row.run_id === null) return null
  const stream_url = `/api/v1/agent/sessions/${row.id}/stream`
  // The join takes live runs only.
  return { run_id: row.run_id, status: row.run_status as 'running', stream_url }
}

const toSession = (row: SessionRow) => ({
  id: row.id,
  title: row.title,
  title_source: row.title_source,
  created_at: row.created_at,
  last_activity_at: row.last_activity_at,
  live_run: liveRun(row),
  pending_confirmations: row.pending_confirmations
})

/** @returns the page as JSON */
export const pageOfSessions = (deps: Deps, principal: Principal, query: Static<typeof SessionQuery>) => {
  const { q } = query
  return paginateJson(deps, { principal, list: 'sessions', filter: q, query }, (key, limit) =>
    listSessions(deps.db, principal.workspace_id, principal.user_id, {
      ...(q !== undefined && { q }),
      limit,
      ...(key ? { before: { at: String(key[0]), id: String(key[1]) } } : {})
    }), (row) => [row.cursor_at, row.id])
}

const find = async (deps: Pick<Deps, 'db'>, principal: Principal, id: string): Promise<SessionRow> => {
  const row = await findSession(deps.db, principal.workspace_id, principal.user_id, id)
  if (!row) throw SessionNotFound()
  return row
}

export const showSession = async (deps: Deps, principal: Principal, id: string) => {
  const row = await find(deps, principal, id)
  const confirmations = await listConfirmations(deps.db, principal.workspace_id, principal.user_id, {
    pending: true,
    session_id: id,
    limit: 100
  })
  return {
    ...toSession(row),
    model: row.model,
    context: { tokens: row.context_tokens, window: windowOf(deps, row.model) },
    // Before a model had to have a price, one without was counted as free.
    spent: deps.llm.isPriced(row.model) ? toMoney(row.spent_usd_micros) : null,
    confirmations: confirmations.map(toConfirmation)
  }
}

const toCall = (call: CallRecord) => ({
  tool_call_id: call.id,
  name: call.name,
  arguments: call.effective_input ?? redact(call.input),
  effect: call.effect,
  status: call.status,
  http_status: call.http_status,
  result: call.result,
  truncated: call.truncated
})

/** @returns a page of the conversation, newest first; each assistant message with the calls it made */
export const pageOfMessages = async (
  deps: Deps,
  principal: Principal,
  id: string,
  query: { limit: number; cursor?: string }
) => {
  await find(deps, principal, id)
  const { items: shown, next_cursor } = await paginate(deps, { principal, list: 'messages', filter: id, query },
    (key, limit) => listVisibleMessages(deps.db, principal.workspace_id, id, key && Number(key[0]), limit),
    ({ seq }) => [seq])
  const calls = await listSessionCalls(
    deps.db,
    principal.workspace_id,
    id,
    shown.map((row) => row.id)
  )
  return {
    items: shown.map((row) => ({
      id: row.id,
      run_id: row.run_id,
      // The assistant's, as the person did not write it.
      role: row.compaction ? 'assistant' as const : row.role,
      text: row.compaction ? summaryText(row.content) : visibleText(row.role, row.content),
      tool_calls: calls.filter((call) => call.message_id === row.id).map(toCall),
      stop_reason: row.stop_reason,
      compaction: row.compaction,
      created_at: row.created_at
    })),
    next_cursor
  }
}
