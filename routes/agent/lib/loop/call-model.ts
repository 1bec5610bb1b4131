import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelCallRow } from '../../../../db/model-spend.js'
import type { ReservedCall } from '../../../../lib/llm/connected-model.js'
import { markPrefixes } from '../../../../lib/llm/encode-request.js'
import { ContextExceeded, ModelError } from '../../../../lib/llm/errors.js'
import type { Turn } from '../../../../lib/llm/turn.js'
import { addSpent, isOverBudget } from './ask-for-budget.js'
import { commit } from '../run/commit.js'
import { errorEvent, resetOf, resetEvents } from '../run/finish.js'
import { offerTools, answerTokens, thinkingOf } from '../window/weigh-context.js'
import { sendAttachments } from '../window/send-attachments.js'
import { watchModelCall } from '../run/record.js'
import { partialOf, type Deps, type RunState } from '../run/run-state.js'

const maxRetries = 3
const maxUnstored = 65_536

/** A frame may have 64 KiB, and a unit of a text up to six bytes in JSON. */
const maxPiece = 4_096

/** @returns the text in pieces that make frames of a fair size; none ends within a character */
const piecesOf = (text: string): string[] => {
  if (text.length <= maxPiece) return [text]
  const isSplit = (text.charCodeAt(maxPiece - 1) & 0xfc00) === 0xd800
  const end = isSplit ? maxPiece - 1 : maxPiece
  return [text.slice(0, end), ...piecesOf(text.slice(end))]
}

/** A complete turn of the model, whose charge is neither counted nor recorded yet. */
export interface Answer {
  turn: Turn
  row: ModelCallRow
  hold: ReservedCall['hold']
}

/** The run or its session has spent its budget: a person must raise it before the next model call. */
export class RunBudgetReached extends Error {}

const purposeOf = ({ key: { session_id, run_id } }: RunState) => ({ purpose: 'chat' as const, session_id, run_id })

/** Records a charge apart from the run's steps: the provider is paid, whatever becomes of the turn. */
export const recordCharge = async (deps: Deps, state: RunState, row: ModelCallRow): Promise<void> => {
  await deps.llm.record(state.key, purposeOf(state), row).catch(({ message: reason }: Error) => {
    const { id, cost_usd_micros } = row
    deps.log.error({ run_id: state.key.run_id, id, cost_usd_micros, reason }, 'a charge of the model is not recorded')
  })
}

/** Counts and records what a call was charged whose turn is not stored. */
export const settleUnused = async (deps: Deps, state: RunState, hold: Answer['hold'],
  row: ModelCallRow | undefined): Promise<void> => {
  if (row) {
    addSpent(state, row)
    await recordCharge(deps, state, row)
  }
  hold.release(row?.cost_usd_micros ?? 0)
}

const reserve = async (deps: Deps, state: RunState, cap: number): Promise<ReservedCall> => deps.llm.reserve(state.key, {
  model: state.model,
  system: state.system,
  messages: markPrefixes(await sendAttachments(deps, state), state.weight.unchanged),
  tools: offerTools(deps, state),
  max_tokens: cap,
  ...thinkingOf(deps, state)
}, state.abort.signal)

const attempt = async (deps: Deps, state: RunState, messageId: string, cap: number): Promise<Answer> => {
  const call = await reserve(deps, state, cap)
  const watch = watchModelCall(deps, state)
  let broken: ModelCallRow | undefined
  try {
    const turn = await deps.llm.stream(call, {
      signal: state.abort.signal,
      idleMs: deps.config.limits.model_idle_ms,
      onText: (text) => {
        watch.onText()
        state.partial.text.add(text)
        for (const piece of piecesOf(text)) state.channel.content(messageId, piece)
        deps.failpoint('model.text')
        // A slow database holds the model back: a takeover skips a bounded number of positions.
        if (state.channel.pendingUnits > maxUnstored) return untilStored(state)
      },
      onBroken: (charge) => { broken = deps.llm.toRow(charge, call) }
    })
    const row = deps.llm.toRow(turn, call)
    watch.report(row, turn, null)
    return { turn, row, hold: call.hold }
  } catch (error) {
    watch.report(broken, undefined, error)
    await settleUnused(deps, state, call.hold, broken)
    throw error
  }
}

const untilStored = async (state: RunState): Promise<void> => {
  while (state.channel.pendingUnits > maxUnstored) await sleep(50, undefined, { signal: state.abort.signal })
}

const waitMs = (deps: Deps, error: ModelError, tries: number): number => {
  const backoff = deps.config.limits.model_retry_base_ms * 4 ** (tries - 1)
  return Math.min(60_000, Math.max(error.retryAfterMs ?? 0, backoff * (0.75 + Math.random() / 2)))
}

/** Whether the turn is of use where it was cut: it says something, and calls nothing. */
const isText = ({ parts }: Turn) =>
  parts.some(({ type }) => type === 'text') && !parts.some(({ type }) => type === 'tool_use')

export const requireBudget = (state: RunState): void => {
  if (isOverBudget(state)) throw new RunBudgetReached()
}

/** Announces that the call is repeated; clients discard the text that it had sent. */
const announceRetry = async (deps: Deps, state: RunState, messageId: string, error: ModelError, pause: number) => {
  await commit(deps, state, { status: 'running' }, [
    errorEvent({
      code: error.code,
      message: `${error.message} Trying again.`,
      fatal: false,
      retryable: true,
      retryAfterMs: Math.round(pause)
    }),
    ...(state.partial.text.isEmpty ? [] : [resetOf(messageId)])
  ])
  state.partial = partialOf(messageId)
}

/** A model that was overloaded a while ago is tried once, where another one can be asked. */
const retriesOf = ({ llm }: Deps, { key, model, pauses }: RunState, { code }: ModelError): number => {
  const { fallback, overload } = llm.of(key.workspace_id)
  const hasOther = fallback !== undefined && fallback !== model && pauses === 0
  return code === 'model_overloaded' && hasOther && overload.isOnTrial(model) ? 0 : maxRetries
}

/** The answer ended where the window does: with a shorter conversation there is more of it. */
const endsAtWindow = ({ stop_reason }: Turn) => stop_reason === 'model_context_window_exceeded'

/** Gives up an answer that was cut; its text is forgotten. */
const discard = async (deps: Deps, state: RunState, { hold, row }: Answer, messageId: string): Promise<void> => {
  await settleUnused(deps, state, hold, row)
  await commit(deps, state, { status: 'running' }, [resetOf(messageId)])
}

/**
 * Calls the model until it gives a whole turn. A call that breaks is repeated, after a `reset` of the text that it had
 * sent; its charge counts all the same.
 * @param isHeavy whether a shorter conversation would let it answer more
 * @throws ModelError when no repetition helps, RunBudgetReached, DayBudgetReached, or the reason of the run's abort
 */
export const callModel = async (deps: Deps, state: RunState, messageId: string, isHeavy = false): Promise<Answer> => {
  const most = answerTokens(deps, state)
  let cap = most
  let isRaised = false
  requireBudget(state)
  const resets = resetEvents(state)
  if (resets.length > 0) await commit(deps, state, { status: 'running' }, resets)
  for (let tries = 1; ; tries++) {
    state.partial = partialOf(messageId)
    try {
      const answer = await attempt(deps, state, messageId, cap)
      const { turn } = answer
      deps.llm.of(state.key.workspace_id).overload.reached(state.model)
      if (isHeavy && endsAtWindow(turn)) {
        await discard(deps, state, answer, messageId)
        throw new ContextExceeded()
      }
      // A turn cut at the limit may have a cut last call, or nothing but thinking: it is repeated once, with more room.
      if (turn.stop_reason !== 'max_tokens' || isText(turn) || isRaised) return answer
      isRaised = true
      cap = Math.min(most * 2, deps.llm.of(state.key.workspace_id).maxOutputOf(state.model))
      await discard(deps, state, answer, messageId)
      requireBudget(state)
    } catch (error) {
      if (!(error instanceof ModelError) || !error.retryable || tries > retriesOf(deps, state, error)) throw error
      const pause = waitMs(deps, error, tries)
      await announceRetry(deps, state, messageId, error, pause)
      requireBudget(state)
      await sleep(pause, undefined, { signal: state.abort.signal })
    }
  }
}
