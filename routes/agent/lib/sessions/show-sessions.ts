import type { Static } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { paginateJson } from '../../../../lib/http/paginate.js'
import { listInbox } from '../../../../db/agent/inbox.js'
import { listQueued } from '../../../../db/agent/queue.js'
import { findSession, listSessions, type SessionRow } from '../../../../db/agent/sessions.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { SessionQuery } from '../../../../schemas/agent/sessions.js'
import { SessionNotFound } from '../errors.js'
import { toMoney } from '../run/finish.js'
import { showConfirmations } from '../approvals/show-confirmations.js'
import { pageOfVisible, type PageOf } from './show-messages.js'
import { windowOf } from '../window/weigh-context.js'

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
  pending_confirmations: row.pending_confirmations,
  pinned: row.pinned
})

/** @returns the page as JSON */
export const pageOfSessions = (deps: Deps, principal: Principal, query: Static<typeof SessionQuery>) => {
  const { q, pinned } = query
  return paginateJson(deps, { principal, list: 'sessions', filter: [q, pinned], query }, (key, limit) =>
    listSessions(deps.db, principal.workspace_id, principal.user_id, {
      ...(q !== undefined && { q }),
      pinned,
      limit,
      ...(key ? { before: { at: String(key[0]), id: String(key[1]) } } : {})
    }), (row) => [row.cursor_at, row.id])
}

/** @throws session_not_found */
export const requireSession = async (deps: Pick<Deps, 'db'>, principal: Principal, id: string): Promise<SessionRow> => {
  const row = await findSession(deps.db, principal.workspace_id, principal.user_id, id)
  if (!row) throw SessionNotFound()
  return row
}

export const showSession = async (deps: Deps, principal: Principal, id: string) => {
  const row = await requireSession(deps, principal, id)
  const { workspace_id: workspaceId, user_id: userId } = principal
  const [confirmations, queued] = await Promise.all([
    listInbox(deps.db, workspaceId, { user_id: userId, status: 'pending', session_id: id, limit: 100 }),
    listQueued(deps.db, workspaceId, id)
  ])
  return {
    ...toSession(row),
    model: row.own_model ?? deps.llm.modelOf(principal.workspace_id),
    own_model: row.own_model,
    effort: row.effort,
    thinking: row.thinking,
    shared: row.shared,
    context: { tokens: row.context_tokens, window: windowOf(deps, principal.workspace_id, row.model) },
    // Before a model had to have a price, one without was counted as free.
    spent: deps.llm.of(principal.workspace_id).isPriced(row.model) ? toMoney(row.spent_usd_micros) : null,
    confirmations: await showConfirmations(deps.db, principal, confirmations),
    queued
  }
}

/** @returns a page of my conversation, newest first */
export const pageOfMessages = async (deps: Deps, principal: Principal, id: string, query: PageOf) => {
  await requireSession(deps, principal, id)
  return pageOfVisible(deps, principal, id, query)
}
