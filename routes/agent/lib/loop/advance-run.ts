import { listMessages } from '../../../../db/agent/queue.js'
import { changeModel, dropOwnModel } from '../../../../db/agent/sessions.js'
import { ModelError, ContextExceeded } from '../../../../lib/llm/errors.js'
import { DayBudgetReached } from '../../../../lib/llm/gate.js'
import type { ModelChangedEvent } from '../../../../schemas/agent/events.js'
import { settleCalls } from '../calls/settle-calls.js'
import { commit } from '../run/commit.js'
import { finishRun, partialMessage, errorEvent, messageIdOf, resetOf } from '../run/finish.js'
import { toMessages } from '../run/history.js'
import { type Advance, type Deps, type RunState, partialOf } from '../run/run-state.js'
import { fitContext, fitRefused, isHeavy } from '../window/fit-context.js'
import { askForBudget, endForBudget, endForDayBudget } from './ask-for-budget.js'
import { RunBudgetReached, callModel, requireBudget, type Answer } from './call-model.js'
import { commitTurn } from './commit-turn.js'
import { prepareTools } from '../window/weigh-context.js'

type Reason = ModelChangedEvent['reason']

/** Reads the conversation again, as it is sent to the model that has it from here on: without earlier thoughts. */
const resend = async (deps: Deps, state: RunState, model: string): Promise<void> => {
  const { workspace_id, session_id } = state.key
  const since = await changeModel(deps.db, workspace_id, session_id, { from: state.model, to: model })
  state.model = model
  state.modelSince = since ?? state.nextSeq
  const rows = await listMessages(deps.db, workspace_id, session_id)
  state.messages = toMessages(rows, state.modelSince, deps.llm.of(workspace_id).searchesTools(model))
  // As a process that loads the session finds them.
  state.tools = { found: [], looked: 0 }
  state.weight.unchanged = 0
}

/** A model that has begun to say something goes on alone: another one does not take what it was sent. */
const isPaused = ({ pauses }: RunState): boolean => pauses > 0

/** Moves the session on to another model, and shows it in the chat. */
const moveTo = async (deps: Deps, state: RunState, to: string, reason: Reason): Promise<void> => {
  const from = state.model
  deps.log.warn({ run_id: state.key.run_id, from, to, reason }, 'a session moves on to another model')
  await resend(deps, state, to)
  const { messageId, text } = state.partial
  state.partial = partialOf('')
  await commit(deps, state, { status: 'running' }, [
    { event: 'model_changed', data: { from, to, reason } },
    ...(text.isEmpty ? [] : [resetOf(messageId)])
  ])
}

const fallbackFor = ({ llm }: Deps, state: RunState): string | undefined => {
  const { fallback } = llm.of(state.key.workspace_id)
  return fallback === undefined || fallback === state.model || isPaused(state) ? undefined : fallback
}

/** Before a model is asked that rests: the second one is asked instead, until the run waits or ends. */
const avoidOverload = async (deps: Deps, state: RunState): Promise<void> => {
  if (!deps.llm.of(state.key.workspace_id).overload.isResting(state.model)) return
  const fallback = fallbackFor(deps, state)
  if (fallback !== undefined) await moveTo(deps, state, fallback, 'overloaded')
}

/** The model that a session has chosen is gone: it goes on with the configured one, which may be gone too. */
const leaveRetired = async (deps: Deps, state: RunState): Promise<boolean> => {
  const { workspace_id, session_id } = state.key
  const configured = deps.llm.modelOf(workspace_id)
  const to = configured === state.model ? fallbackFor(deps, state) : configured
  if (to === undefined || isPaused(state)) return false
  await dropOwnModel(deps.db, workspace_id, session_id, state.model)
  await moveTo(deps, state, to, 'retired')
  return true
}

const leaveOverloaded = async (deps: Deps, state: RunState): Promise<boolean> => {
  const fallback = fallbackFor(deps, state)
  if (fallback === undefined) return false
  deps.llm.of(state.key.workspace_id).overload.rest(state.model)
  await moveTo(deps, state, fallback, 'overloaded')
  return true
}

/** Thoughts that the provider refuses, as what came before them has changed, are left out from here on. */
const leaveThoughts = async (deps: Deps, state: RunState): Promise<boolean> => {
  if (isPaused(state)) return false
  await resend(deps, state, state.model)
  return true
}

/** A server refuses all of a request for one image that it cannot read: the run goes on without files, and says so. */
const leaveFiles = async (deps: Deps, state: RunState): Promise<boolean> => {
  if (state.attachments.size === 0 || state.withoutFiles) return false
  state.withoutFiles = true
  await commit(deps, state, { status: 'running' }, [errorEvent({
    code: 'model_files_refused',
    message: 'The model refused the request with its files, and is asked without them.',
    fatal: false,
    retryable: false
  })])
  return true
}

const roads: Record<string, (deps: Deps, state: RunState) => Promise<boolean>> = {
  model_overloaded: leaveOverloaded,
  model_unknown: leaveRetired,
  model_thoughts_refused: leaveThoughts,
  model_bad_request: leaveFiles
}

/**
 * Finds another way to an answer after the model has failed for good.
 * @returns whether there is one, and the model may be asked again
 */
const findRoad = async (deps: Deps, state: RunState, error: ModelError): Promise<boolean> =>
  await roads[error.code]?.(deps, state) ?? false

const settingOf = ({ config, llm }: Deps, workspaceId: string, model: string, standard: string): string => {
  const by = llm.of(workspaceId)
  if (model === by.fallback && model !== standard) return 'ANTHROPIC_FALLBACK_MODEL'
  return standard === config.ANTHROPIC_MODEL && by === llm.installed ? 'ANTHROPIC_MODEL' : 'the model of the workspace'
}

/** @returns the error with what to set, where the model is gone that is configured */
const explain = (deps: Deps, { model, key }: RunState, error: ModelError): ModelError => {
  if (error.code !== 'model_unknown') return error
  const setting = settingOf(deps, key.workspace_id, model, deps.llm.modelOf(key.workspace_id))
  return new ModelError(error.code, `The provider does not know the model ${model}. An administrator can set ` +
    `${setting} to another.`, false)
}

/**
 * Asks the model for the next turn, with what fits into its window. A request that the provider finds too long all the
 * same is made shorter, once.
 * @throws as `callModel`
 */
const askOne = async (deps: Deps, state: RunState, messageId: string): Promise<Answer> => {
  requireBudget(state)
  await avoidOverload(deps, state)
  await prepareTools(deps, state)
  await fitContext(deps, state)
  try {
    return await callModel(deps, state, messageId, isHeavy(deps, state))
  } catch (error) {
    if (!(error instanceof ContextExceeded) || !await fitRefused(deps, state, error)) throw error
    return callModel(deps, state, messageId)
  }
}

/** Each other way is tried once at most: a model that is gone, one that is overloaded, refused thoughts and files. */
const maxRoads = 4

/**
 * As `askOne`, by another model or without earlier thoughts or files where the first way fails.
 * @throws as `callModel`
 */
const askModel = async (deps: Deps, state: RunState, messageId: string): Promise<Answer> => {
  const tried = new Set<string>()
  for (;;) {
    try {
      return await askOne(deps, state, messageId)
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      const road = `${error.code} ${state.model}`
      if (tried.has(road) || tried.size >= maxRoads || !await findRoad(deps, state, error)) {
        throw explain(deps, state, error)
      }
      tried.add(road)
    }
  }
}

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
