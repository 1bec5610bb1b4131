import type { Static } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { paginateJson } from '../../../lib/http/paginate.js'
import { listConfirmations } from '../../../db/agent/confirmations.js'
import { findSession, listSessions, type SessionRow } from '../../../db/agent/sessions.js'
import type { Principal } from '../../../lib/security/principal.js'
import type { SessionQuery } from '../../../schemas/agent/sessions.js'
import { SessionNotFound } from './errors.js'
import { toMoney } from './finish.js'
import { toConfirmation } from './list-confirmations.js'
import { pageOfVisible, type PageOf } from './show-messages.js'
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
    shared: row.shared,
    context: { tokens: row.context_tokens, window: windowOf(deps, row.model) },
    // Before a model had to have a price, one without was counted as free.
    spent: deps.llm.isPriced(row.model) ? toMoney(row.spent_usd_micros) : null,
    confirmations: confirmations.map(toConfirmation)
  }
}

/** @returns a page of my conversation, newest first */
export const pageOfMessages = async (deps: Deps, principal: Principal, id: string, query: PageOf) => {
  await find(deps, principal, id)
  return pageOfVisible(deps, principal, id, query)
}
