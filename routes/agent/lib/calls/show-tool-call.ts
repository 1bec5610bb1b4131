import type { FastifyInstance } from 'fastify'
import { findConfirmationOfCall } from '../../../../db/agent/confirmations.js'
import { findOwnCall } from '../../../../db/agent/tool-calls.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { ToolCall } from '../../../../schemas/agent/tool-calls.js'
import type { LiveEvent } from '../../../../lib/streams/events.js'
import { ToolCallNotFound } from '../errors.js'
import { shownDecider } from './run-unasked.js'
import { showConfirmations } from '../approvals/show-confirmations.js'

type Deps = Pick<FastifyInstance, 'db' | 'streams'>

/** @throws tool_call_not_found for a call that is not there or not the caller's */
export const showToolCall = async (deps: Pick<Deps, 'db'>, principal: Principal, id: string): Promise<ToolCall> => {
  const { workspace_id, user_id } = principal
  const [call, asked] = await Promise.all([
    findOwnCall(deps.db, workspace_id, user_id, id),
    findConfirmationOfCall(deps.db, workspace_id, user_id, id)
  ])
  if (!call) throw ToolCallNotFound()
  const { id: tool_call_id, input, effective_input, decided_by, ...rest } = call
  const [confirmation = null] = asked ? await showConfirmations(deps.db, principal, [asked]) : []
  return {
    ...rest, ...shownDecider({ decided_by }), tool_call_id, arguments: effective_input ?? input, confirmation
  }
}

/** Milliseconds in which a run ends with its only call; one of several calls may wait for a person much longer. */
const runEndMs = 1_000

/** @returns the call as soon as it has ended, and as it stands when it has not after the time */
export const awaitToolCall = async (
  deps: Deps, principal: Principal, id: string, waitMs: number, left: AbortSignal
): Promise<ToolCall> => {
  const call = await showToolCall(deps, principal, id)
  if (call.finished_at !== null || waitMs === 0) return call
  const enough = new AbortController()
  const timer = setTimeout(() => enough.abort(), waitMs)
  const { workspace_id: workspaceId } = principal
  const signal = AbortSignal.any([enough.signal, left])
  const onEvent = ({ event, data }: LiveEvent) => {
    if (event === 'tool_result' && data.tool_call_id === id) setTimeout(() => enough.abort(), runEndMs)
  }
  await deps.streams.read({ workspaceId, streamId: call.run_id, after: 0, signal, onEvent })
    .finally(() => clearTimeout(timer))
  return showToolCall(deps, principal, id)
}
