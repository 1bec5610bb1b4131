import { createHash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import type { MessageRow } from '../../../../db/agent/commit-run.js'
import type { RunStatus } from '../../../../db/agent/tables.js'
import type { NewChatEvent } from '../../../../schemas/agent/events.js'
import { closingMessage, commit } from './commit.js'
import { recordApproval } from './record.js'
import { endCall, withoutResult, type OutcomeStatus } from './results.js'
import type { Deps, OpenCall, RunState } from './run-state.js'

const timeOf = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16)

/**
 * @returns the id of the message that the run's next model call makes. It follows from run and step, so a call
 * repeated after a crash makes the same message.
 */
export const messageIdOf = ({ key, step }: Pick<RunState, 'key' | 'step'>): string => {
  const random = createHash('sha256').update(`${key.run_id}:${step}`).digest().subarray(0, 16)
  return uuid({ msecs: timeOf(key.run_id), seq: step, random })
}

/** Makes clients discard what they hold of the message: the model call is repeated, or given up. */
export const resetOf = (messageId: string): NewChatEvent =>
  ({ event: 'content', data: { message_id: messageId, text: '', reset: true } })

/** @returns a reset of unfinished text that an earlier holder of the run may have sent */
export const resetEvents = (state: RunState): NewChatEvent[] => {
  const { repeats } = state
  state.repeats = false
  return repeats ? [resetOf(messageIdOf(state))] : []
}

/** @returns US dollars as a decimal */
export const toMoney = (micros: number) => ({ amount: (micros / 1_000_000).toFixed(6), currency: 'USD' })

export interface DoneFacts {
  session_id: string
  run_id: string
  title: string | null
  toolCalls: number
  usage: {
    model_calls: number
    input_tokens: number
    output_tokens: number
    cache_read_tokens: number
    cost_usd_micros: number
  }
}

export const doneData = (
  facts: DoneFacts,
  end: { status: RunStatus; final: boolean; stop_reason: string | null; message_id: string | null; pending: string[] }
) => ({
  session_id: facts.session_id,
  run_id: facts.run_id,
  status: end.status,
  final: end.final,
  stop_reason: end.stop_reason,
  message_id: end.message_id,
  title: facts.title,
  pending_confirmations: end.pending,
  usage: {
    model_calls: facts.usage.model_calls,
    tool_calls: facts.toolCalls,
    input_tokens: facts.usage.input_tokens,
    output_tokens: facts.usage.output_tokens,
    cache_read_tokens: facts.usage.cache_read_tokens,
    cost: toMoney(facts.usage.cost_usd_micros)
  }
})

export const factsOf = (state: RunState): DoneFacts => ({
  session_id: state.key.session_id,
  run_id: state.key.run_id,
  title: state.title,
  toolCalls: state.toolCalls,
  usage: state.usage
})

export const errorEvent = (error: {
  code: string
  message: string
  fatal: boolean
  retryable: boolean
  retryAfterMs?: number
}): NewChatEvent => ({
  event: 'error',
  data: {
    code: error.code,
    message: error.message,
    fatal: error.fatal,
    retryable: error.retryable,
    retry_after_ms: error.retryAfterMs ?? null
  }
})

interface Ending {
  status: 'completed' | 'failed' | 'cancelled' | 'expired'
  reason?: string
  stopReason: string | null
  messages?: MessageRow[]
  messageId?: string | null
  error?: { code: string; message: string; retryable: boolean }
  /** What the person reads at an end that is no failure. */
  notice?: { code: string; message: string } | undefined
}

/** @returns how a call ends that is open when its run ends */
const closedAs = (call: OpenCall, end: Ending): OutcomeStatus => {
  if (call.status === 'dispatching' && call.effect === 'write') return 'unknown'
  if (end.reason === 'superseded') return 'superseded'
  return end.status === 'expired' ? 'expired' : 'cancelled'
}

const finalDone = (state: RunState, end: Ending): NewChatEvent => ({
  event: 'done',
  data: doneData(factsOf(state), {
    status: end.status, final: true, stop_reason: end.stopReason, message_id: end.messageId ?? null, pending: []
  })
})

/** Ends the run: open calls are closed, so the history stays valid, and `done` is its last event. */
export const finishRun = async (deps: Deps, state: RunState, end: Ending): Promise<void> => {
  const closed = state.calls.filter((call) => call.result_model === null)
    .map((call) => endCall(call, withoutResult(closedAs(call, end)), deps.config.limits))
  for (const call of state.calls) if (call.status === 'awaiting') recordApproval(deps, 'closed', null)
  state.error = end.error?.code ?? null
  const endings = closed.map(({ ending }) => ending)
  const results = endings.length > 0 ? closingMessage(state, endings) : undefined
  await commit(deps, state, {
    status: end.status,
    reason: end.reason,
    error: end.error && { code: end.error.code, message: end.error.message },
    messages: [...(end.messages ?? []), ...(results ? [results] : [])],
    endings
  }, [
    ...closed.map(({ event }) => event),
    ...(end.error ? [errorEvent({ ...end.error, fatal: true })] : []),
    ...(end.notice ? [errorEvent({ ...end.notice, fatal: false, retryable: true })] : []),
    finalDone(state, end)
  ])
}

/** The text that had arrived when a model call ended early; kept, as the person has seen it. */
export const partialMessage = ({ partial, nextSeq }: RunState, stopReason: string): MessageRow[] => {
  const text = partial.text.toString()
  if (text.trim() === '') return []
  const content = [{ type: 'text', text }]
  return [
    { id: partial.messageId, seq: nextSeq, role: 'assistant', content, search_text: text, stop_reason: stopReason }
  ]
}
