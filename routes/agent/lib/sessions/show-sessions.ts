import type { Static } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { listSessionCalls, type CallRecord, listCalls } from '../../../../db/agent/calls.js'
import { listRunConfirmations } from '../../../../db/agent/confirmations.js'
import { listFeedbackOn } from '../../../../db/agent/feedback.js'
import { listInbox } from '../../../../db/agent/inbox.js'
import { listQueued, listVisibleMessages, type MessageRow, listVisibleAfter } from '../../../../db/agent/queue.js'
import { findRun, sumUsage } from '../../../../db/agent/runs.js'
import { findSession, listSessions, type SessionRow } from '../../../../db/agent/sessions.js'
import { paginateJson, paginate } from '../../../../lib/http/paginate.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { SessionQuery, Run, ChatSessionDetail } from '../../../../schemas/agent/sessions.js'
import { showConfirmations } from '../approvals/list-confirmations.js'
import { shownDecider } from '../calls/execute-write.js'
import { SessionNotFound, RunNotFound } from '../errors.js'
import { redact } from '../../../../lib/security/redaction.js'
import { toMoney } from '../run/finish.js'
import { summaryText, visibleText } from '../run/history.js'
import type { Deps } from '../run/run-state.js'
import { fileOf, windowOf } from '../window/weigh-context.js'

type ShowMessageDeps = Pick<FastifyInstance, 'db' | 'cursors'>

interface PageOf { limit: number, cursor?: string }

const toCall = (call: CallRecord) => ({
  tool_call_id: call.id,
  name: call.name,
  arguments: call.effective_input ?? redact(call.input),
  effect: call.effect,
  status: call.status,
  ...shownDecider(call),
  http_status: call.http_status,
  result: call.result,
  truncated: call.truncated
})

const toFile = (block: ReturnType<typeof fileOf>) => {
  if (!block) return []
  const { type: _, ...file } = block
  return [file]
}

/** @returns messages as they are shown, each of the assistant with the calls it made and what was thought of it */
const showMessages = async ({ db }: Pick<ShowMessageDeps, 'db'>, workspaceId: string, id: string, rows: MessageRow[]) => {
  const ids = rows.map((row) => row.id)
  const [calls, feedback] = await Promise.all([
    listSessionCalls(db, workspaceId, id, ids), listFeedbackOn(db, workspaceId, id, ids)
  ])
  const thoughts = new Map(feedback.map(({ message_id, ...given }) => [message_id, given]))
  return rows.map((row) => ({
    id: row.id,
    run_id: row.run_id,
    // A summary is the assistant's, as the person did not write it.
    role: row.compaction ? 'assistant' as const : row.role,
    text: row.compaction ? summaryText(row.content) : visibleText(row.role, row.content),
    attachments: row.content.flatMap((block) => toFile(fileOf(block))),
    tool_calls: calls.filter((call) => call.message_id === row.id).map(toCall),
    stop_reason: row.stop_reason,
    model: row.model,
    compaction: row.compaction,
    feedback: thoughts.get(row.id) ?? null,
    created_at: row.created_at
  }))
}

/** @returns a page of a conversation that the principal may read, newest first */
export const pageOfVisible = async (deps: ShowMessageDeps, principal: Principal, id: string, query: PageOf) => {
  const { workspace_id } = principal
  const page = await paginate(deps, { principal, list: 'messages', filter: id, query },
    (key, limit) => listVisibleMessages(deps.db, workspace_id, id, key && Number(key[0]), limit),
    ({ seq }) => [seq])
  return { ...page, items: await showMessages(deps, workspace_id, id, page.items) }
}

/** @throws run_not_found for a run that is not there or not the caller's */
export const showRun = async ({ db, llm }: Pick<Deps, 'db' | 'llm'>, principal: Principal, id: string):
Promise<Run> => {
  const { workspace_id, user_id } = principal
  const run = await findRun(db, workspace_id, user_id, id)
  if (!run) throw RunNotFound()
  const [usage, calls, confirmations] = await Promise.all([
    sumUsage(db, workspace_id, id), listCalls(db, workspace_id, id), listRunConfirmations(db, workspace_id, id)])
  const { cost_usd_micros, model, ...tokens } = usage
  // Before a model had to have a price, one without was counted as free.
  const isPriced = model === null || llm.of(principal.workspace_id).isPriced(model)
  return {
    id,
    session_id: run.session_id,
    status: run.status,
    reason: run.reason,
    step: run.step,
    // commitRun stores code and message.
    error: run.error as { code: string, message: string } | null,
    usage: { ...tokens, tool_calls: calls.length, cost: isPriced ? toMoney(cost_usd_micros) : null },
    pending_confirmations: confirmations.filter((item) => item.status === 'pending').map((item) => item.id),
    cancel_requested: run.cancel_requested_at !== null,
    created_at: run.created_at,
    finished_at: run.finished_at,
    stream_url: `/api/v1/agent/sessions/${run.session_id}/stream`
  }
}

type ExportSessionDeps = Pick<FastifyInstance, 'db'>
type Shown = Awaited<ReturnType<typeof showMessages>>[number]
type Session = Pick<ChatSessionDetail, 'id' | 'title' | 'created_at' | 'model'>

/** Messages read at once: results are up to 100 KB each, and the whole session is never in memory. */
const pageSize = 20

const pages = async function * ({ db }: ExportSessionDeps, workspaceId: string, id: string): AsyncGenerator<Shown[]> {
  for (let after = -1; ;) {
    const rows = await listVisibleAfter(db, workspaceId, id, after, pageSize)
    if (rows.length > 0) yield showMessages({ db }, workspaceId, id, rows)
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) return
    after = last.seq
  }
}

const runsOf = (text: string, mark: RegExp): number =>
  Math.max(0, ...(text.match(mark) ?? []).map((run) => run.length))

/** A block whose fence is longer than any in its text, so that nothing in it ends it. */
const fenced = (text: string, language: string): string => {
  const fence = '`'.repeat(Math.max(3, runsOf(text, /`+/g) + 1))
  return `${fence}${language}\n${text}\n${fence}\n`
}

const json = (value: unknown): string => fenced(JSON.stringify(value, null, 2), 'json')

const callText = ({ name, effect, status, arguments: input, result }: Shown['tool_calls'][number]): string =>
  `\n### ${name} (${effect}, ${status})\n\n${json(input)}` + (result === null ? '' : `\nResult:\n\n${json(result)}`)

const time = (at: Date | string): string => new Date(at).toISOString()

const fileText = ({ name, size }: Shown['attachments'][number]): string =>
  `\nFile: ${name.replace(/\s+/g, ' ')} (${size} bytes)\n`

const messageText = ({ role, created_at, text, attachments, tool_calls }: Shown): string =>
  `\n## ${role === 'user' ? 'You' : 'Assistant'}, ${time(created_at)}\n` +
  attachments.map(fileText).join('') + (text === '' ? '' : `\n${text.trimEnd()}\n`) + tool_calls.map(callText).join('')

/** @returns the session as Markdown, in parts; texts stay as they were written */
export const exportMarkdown = async function * (deps: ExportSessionDeps, workspaceId: string, session: Session) {
  const title = (session.title ?? 'Chat').replace(/\s+/g, ' ')
  yield `# ${title}\n\nSession ${session.id}, ${time(session.created_at)}, ${session.model}\n`
  for await (const messages of pages(deps, workspaceId, session.id)) yield messages.map(messageText).join('')
}

/** @returns one JSON object in parts: `session`, and `messages` as their list shows them, but oldest first */
export const exportJson = async function * (deps: ExportSessionDeps, workspaceId: string, session: Session) {
  yield `{"session":${JSON.stringify(session)},"messages":[`
  let separator = ''
  for await (const messages of pages(deps, workspaceId, session.id)) {
    yield separator + messages.map((message) => JSON.stringify(message)).join()
    separator = ','
  }
  yield ']}'
}

type ShowSessionDeps = Pick<FastifyInstance, 'db' | 'cursors' | 'llm' | 'config'>

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
export const pageOfSessions = (deps: ShowSessionDeps, principal: Principal, query: Static<typeof SessionQuery>) => {
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
export const requireSession = async (deps: Pick<ShowSessionDeps, 'db'>, principal: Principal, id: string): Promise<SessionRow> => {
  const row = await findSession(deps.db, principal.workspace_id, principal.user_id, id)
  if (!row) throw SessionNotFound()
  return row
}

export const showSession = async (deps: ShowSessionDeps, principal: Principal, id: string) => {
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
export const pageOfMessages = async (deps: ShowSessionDeps, principal: Principal, id: string, query: PageOf) => {
  await requireSession(deps, principal, id)
  return pageOfVisible(deps, principal, id, query)
}
