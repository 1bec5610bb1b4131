import type { FastifyInstance } from 'fastify'
import { listSessionCalls, type CallRecord } from '../../../../db/agent/calls.js'
import { listFeedbackOn } from '../../../../db/agent/feedback.js'
import { listVisibleMessages, type MessageRow } from '../../../../db/agent/messages.js'
import { paginate } from '../../../../lib/http/paginate.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { fileOf } from '../window/attachment-block.js'
import { shownDecider } from '../calls/run-unasked.js'
import { summaryText, visibleText } from '../run/history.js'
import { redact } from '../redact.js'

type Deps = Pick<FastifyInstance, 'db' | 'cursors'>

export interface PageOf { limit: number, cursor?: string }

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
export const showMessages = async ({ db }: Pick<Deps, 'db'>, workspaceId: string, id: string, rows: MessageRow[]) => {
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
export const pageOfVisible = async (deps: Deps, principal: Principal, id: string, query: PageOf) => {
  const { workspace_id } = principal
  const page = await paginate(deps, { principal, list: 'messages', filter: id, query },
    (key, limit) => listVisibleMessages(deps.db, workspace_id, id, key && Number(key[0]), limit),
    ({ seq }) => [seq])
  return { ...page, items: await showMessages(deps, workspace_id, id, page.items) }
}
