import { listMessages } from '../../../../db/agent/messages.js'
import { changeModel, dropOwnModel } from '../../../../db/agent/sessions.js'
import { ModelError } from '../../../../lib/llm/errors.js'
import type { ModelChangedEvent } from '../../../../schemas/agent/events.js'
import { commit } from '../run/commit.js'
import { errorEvent } from '../run/finish.js'
import { toMessages } from '../run/history.js'
import { resetOf } from '../run/message-id.js'
import { partialOf, type Deps, type RunState } from '../run/run-state.js'

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
export const avoidOverload = async (deps: Deps, state: RunState): Promise<void> => {
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
export const findRoad = async (deps: Deps, state: RunState, error: ModelError): Promise<boolean> =>
  await roads[error.code]?.(deps, state) ?? false

const settingOf = ({ config, llm }: Deps, workspaceId: string, model: string, standard: string): string => {
  const by = llm.of(workspaceId)
  if (model === by.fallback && model !== standard) return 'ANTHROPIC_FALLBACK_MODEL'
  return standard === config.ANTHROPIC_MODEL && by === llm.installed ? 'ANTHROPIC_MODEL' : 'the model of the workspace'
}

/** @returns the error with what to set, where the model is gone that is configured */
export const explain = (deps: Deps, { model, key }: RunState, error: ModelError): ModelError => {
  if (error.code !== 'model_unknown') return error
  const setting = settingOf(deps, key.workspace_id, model, deps.llm.modelOf(key.workspace_id))
  return new ModelError(error.code, `The provider does not know the model ${model}. An administrator can set ` +
    `${setting} to another.`, false)
}
