import { ModelError } from '../../../../lib/llm/errors.js'
import { DayBudgetReached } from '../../../../lib/llm/gate.js'
import { askForBudget, endForBudget, endForDayBudget } from './ask-for-budget.js'
import { askModel } from './ask-model.js'
import { RunBudgetReached } from './call-model.js'
import { commitTurn } from './commit-turn.js'
import { finishRun, partialMessage } from '../run/finish.js'
import { messageIdOf } from '../run/message-id.js'
import { settleCalls } from '../calls/settle-calls.js'
import type { Advance, Deps, RunState } from '../run/run-state.js'

/** Pauses of the model one after the other. */
const maxPauses = 5

/** What the person reads when a run ends at such a limit. */
const notices: Record<string, { code: string, message: string }> = {
  limit_pauses: {
    code: 'model_paused', message: 'The model paused again and again. Say "go on" to let it try once more.'
  }
}

const finishCancelled = async (deps: Deps, state: RunState): Promise<Advance> => {
  const reason = state.cancelled ?? 'user_cancel'
  const revoked = reason === 'permission_revoked'
  await finishRun(deps, state, {
    status: revoked ? 'failed' : 'cancelled',
    reason,
    stopReason: reason,
    messages: partialMessage(state, reason),
    ...(revoked ? { error: { code: reason, message: 'The person may not act any more.', retryable: false } } : {})
  })
  return 'stop'
}

/** @returns the limit that the run has reached, as a stop reason */
const reachedLimit = (deps: Deps, state: RunState): string | undefined => {
  const limits = deps.workspaces.limitsOf(state.key.workspace_id)
  if (state.usage.model_calls >= limits.model_calls_per_run) return 'limit_model_calls'
  if (state.toolCalls >= limits.tool_calls_per_run) return 'limit_tool_calls'
  if (state.pauses > maxPauses) return 'limit_pauses'
  const active = state.activeBefore + Date.now() - state.startedAt
  return active >= limits.active_seconds_per_run * 1_000 ? 'limit_active_time' : undefined
}

const failed = async (deps: Deps, state: RunState, error: ModelError): Promise<Advance> => {
  const { messageId, text } = state.partial
  await finishRun(deps, state, {
    status: 'failed',
    reason: error.code,
    stopReason: null,
    messages: partialMessage(state, 'error'),
    messageId: text.isEmpty ? null : messageId,
    error: { code: error.code, message: error.message, retryable: error.retryable }
  })
  return 'stop'
}

/** The run of a proposed call ends with the call's result. */
const finishToolCall = async (deps: Deps, state: RunState): Promise<Advance> => {
  await finishRun(deps, state, { status: 'completed', reason: 'tool_call', stopReason: 'tool_call' })
  return 'stop'
}

/** One step of a run: settle the open calls, or ask the model. @returns whether there is more to do here */
export const advanceRun = async (deps: Deps, state: RunState): Promise<Advance> => {
  if (state.cancelled !== null) return finishCancelled(deps, state)
  if (state.calls.length > 0) return settleCalls(deps, state)
  if (state.kind === 'tool_call') return finishToolCall(deps, state)
  const limit = reachedLimit(deps, state)
  if (limit) {
    await finishRun(deps, state, { status: 'completed', reason: limit, stopReason: limit, notice: notices[limit] })
    return 'stop'
  }
  const messageId = messageIdOf(state)
  try {
    return await commitTurn(deps, state, await askModel(deps, state, messageId), messageId)
  } catch (error) {
    if (error instanceof ModelError) return failed(deps, state, error)
    if (error instanceof RunBudgetReached) {
      return state.firing === null ? askForBudget(deps, state) : endForBudget(deps, state)
    }
    if (error instanceof DayBudgetReached) return endForDayBudget(deps, state, error)
    if (state.cancelled !== null && state.abort.signal.aborted) return finishCancelled(deps, state)
    throw error
  }
}
