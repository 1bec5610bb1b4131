import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import { v7 as uuid } from 'uuid'
import { insertProposal } from '../../../../db/agent/firings.js'
import type { Db } from '../../../../db/index.js'
import type { UsageRow } from '../../../../db/model-spend.js'
import { Stopping } from '../../../../lib/durable/kind.js'
import type { Part, ToolUsePart, Turn } from '../../../../lib/llm/turn.js'
import type { NewChatEvent } from '../../../../schemas/agent/events.js'
import { ApiError } from '../../../../schemas/errors.js'
import { planCalls, type PlannedCall } from '../calls/plan-calls.js'
import { proposeToolCall } from '../calls/propose.js'
import type { Proposal } from '../plans/propose-call.js'
import { closingMessage, commit } from '../run/commit.js'
import { doneData, errorEvent, factsOf } from '../run/finish.js'
import { sendable } from '../run/history.js'
import { failure, type Outcome } from '../run/results.js'
import { partialOf, type Advance, type Deps, type OpenCall, type RunState } from '../run/run-state.js'
import { replacingParked } from '../run/park-run.js'
import { noteIfResolved } from '../triggers/read-alert.js'
import { writeReport } from '../triggers/write-report.js'
import { measure } from '../window/weigh-context.js'
import { addSpent } from './ask-for-budget.js'
import { recordCharge, type Answer } from './call-model.js'

type Question = Extract<Proposal, { kind: 'ask' | 'run' }>

/**
 * Leaves a write among the approvals of the person for whom a run acts that nobody reads along: in a run of its own, so that
 * this one goes on to its report. Proposed again after a crash, it is the same call.
 * @returns what the model reads: the write was not executed
 */
const leaveProposal = async (deps: Deps, { principal, key, title }: RunState, firing: string,
  { plan }: Question, name: string): Promise<Outcome> => {
  try {
    const id = await proposeToolCall(deps, deps.engine, principal, {
      name, arguments: plan.arguments
    }, {
      opening: `A run that a schedule or an alert began proposed the call that follows: session ${key.session_id}.`,
      triggered: true,
      title: `proposed by ${title ?? 'a trigger'}`.slice(0, 120).toWellFormed(),
      keep: (trx, made) => insertProposal(trx, key.workspace_id, { firing_id: firing, ...made })
    })
    return {
      ...failure('left_for_approval', 'It was not executed here. It waits for the person under Approvals, unless policies ' +
        'let it run, and lapses when it expires or the alert is resolved. Go on with the report.',
      { tool_call_id: id, summary: plan.summary }),
      status: 'denied'
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error instanceof Stopping) throw error
    return failure(error.code, error.message)
  }
}

const isToolUse = (part: Part): part is ToolUsePart => part.type === 'tool_use'

const idsIn = (messages: readonly MessageParam[]): string[] =>
  messages.flatMap(({ content }) => typeof content === 'string' ? [] : content)
    .flatMap((block) => block.type === 'tool_use' ? block.id : [])

/** The API takes no id twice in a conversation: a call whose id is taken, or is none, gets one of ours. */
const assignUniqueIds = (state: RunState, calls: readonly ToolUsePart[]): void => {
  if (calls.length === 0) return
  const ids = new Set(idsIn(state.messages))
  for (const call of calls) {
    if (ids.has(call.id) || !/^[\w-]{1,128}$/.test(call.id)) call.id = `toolu_${uuid().replaceAll('-', '')}`
    ids.add(call.id)
  }
}

/** What the person reads when an answer ends with such a stop reason. */
const notices: Record<string, { code: string; message: string }> = {
  refusal: { code: 'model_refused', message: 'The model declined to answer.' },
  max_tokens: { code: 'model_output_truncated', message: 'The answer was cut at its longest.' },
  model_context_window_exceeded: {
    code: 'model_context_exceeded',
    message: 'The answer was cut where the model\'s window ends.'
  },
  empty_answer: { code: 'model_empty_answer', message: 'The model ended without an answer. Ask again.' }
}

const emptyAnswer = 'empty_answer'

const textOf = (parts: Part[]) => parts.map((part) => (part.type === 'text' ? String(part.text) : '')).join('')

/** @returns why the turn ended; a turn that ends the run without a word for the person has a reason of its own */
const stopReasonOf = ({ stop_reason: reason }: Turn, parts: Part[]): string | null => {
  const isSilent = !parts.some(isToolUse) && textOf(parts).trim() === ''
  return isSilent && reason !== 'pause_turn' && !(reason && reason in notices) ? emptyAnswer : reason
}

const finalEvents = (state: RunState, stopReason: string | null, messageId: string | null): NewChatEvent[] => {
  const notice = notices[stopReason ?? '']
  const end = {
    status: 'completed' as const,
    final: true,
    stop_reason: stopReason,
    message_id: messageId,
    pending: []
  }
  return [
    ...(notice ? [errorEvent({ ...notice, fatal: false, retryable: false })] : []),
    { event: 'done', data: doneData(factsOf(state), end) }
  ]
}

const toOpenCall = ({ row }: PlannedCall): OpenCall => ({ ...row, claim_epoch: null })

/** @returns where the run stands after this turn */
const statusAfter = (turn: Turn, plans: PlannedCall[]) => {
  if (turn.stop_reason === 'pause_turn') return 'running'
  if (plans.length === 0) return 'completed'
  const open = plans.filter(({ row }) => row.result_model === null)
  return open.length > 0 && open.every(({ row }) => row.status === 'awaiting') ? 'awaiting_confirmation' : 'running'
}

const assistantMessage = (state: RunState, id: string, parts: Part[], stopReason: string | null, model: string) => ({
  id,
  seq: state.nextSeq,
  role: 'assistant' as const,
  content: parts,
  search_text: textOf(parts),
  stop_reason: stopReason,
  model
})

/** An empty pause leads to the same request again: the second one in a row is enough. */
const emptyPause = 3

const countPause = (state: RunState, { stop_reason: reason }: Turn, sent: unknown[]): void => {
  state.pauses = reason === 'pause_turn' ? state.pauses + (sent.length > 0 ? 1 : emptyPause) : 0
}

/** @returns what becomes of the writes of a run that nobody reads along; undefined of all others */
const leaving = (deps: Deps, state: RunState) => {
  const { firing } = state
  return firing === null
    ? undefined
    : (question: Question, tool: string) => leaveProposal(deps, state, firing, question, tool)
}

/**
 * Stores the turn, its calls and its approvals in one commit; nothing runs before it. Calls of a turn that was cut or
 * refused are dropped.
 */
const store = async (deps: Deps, state: RunState, turn: Turn, messageId: string, usage: UsageRow | undefined):
Promise<Advance> => {
  const acts = turn.stop_reason === 'tool_use'
  const parts = turn.parts.filter((part) => acts || !isToolUse(part))
  const calls = parts.filter(isToolUse)
  assignUniqueIds(state, calls)
  const plans = await planCalls(deps, state, turn, messageId, calls, leaving(deps, state))
  const status = statusAfter(turn, plans)
  const stopReason = stopReasonOf(turn, parts)
  state.toolCalls += plans.length
  state.calls = plans.map(toOpenCall)
  const hasMessage = parts.length > 0 || stopReason === emptyAnswer
  const messages = hasMessage ? [assistantMessage(state, messageId, parts, stopReason, turn.model ?? state.model)] : []
  const results = closingMessage({ ...state, nextSeq: state.nextSeq + 1 }, [])
  const events = plans.flatMap((plan) => plan.events)
  const report = status === 'completed' ? await writeReport(deps, state, textOf(parts)) : undefined
  const replace = await replacingParked(deps, state, plans.flatMap(({ target }) => target ?? []))
  const first = report || replace
    ? async (trx: Db) => {
      await report?.(trx)
      await replace?.(trx)
    }
    : undefined
  deps.failpoint('turn.before_commit')
  await commit(first ? { db: deps.db, unnumbered: deps.unnumbered, first } : deps, state, {
    status,
    ...(stopReason === emptyAnswer && { reason: emptyAnswer }),
    messages: results ? [...messages, results] : messages,
    calls: plans.map(({ row }) => row),
    confirmations: plans.flatMap(({ confirmation }) => confirmation ?? []),
    ...(usage && { usage, measured: measure(state, usage) }),
    steps: 1
  }, status === 'completed' ? [...events, ...finalEvents(state, stopReason, messages[0]?.id ?? null)] : events)
  deps.failpoint('turn.after_commit')
  if (state.firing !== null && status === 'completed') await noteIfResolved(deps, state.key.workspace_id, state.firing)
  state.partial = partialOf('')
  const sent = sendable(parts)
  countPause(state, turn, sent)
  // Stored parts are blocks of the API's own form.
  if (sent.length > 0) state.messages.push({ role: 'assistant', content: sent as never })
  if (results) {
    state.messages.push({ role: 'user', content: results.content })
    state.calls = []
  }
  return status === 'running' ? 'go' : 'stop'
}

/**
 * Stores the turn, and its charge with it: one that is estimated, or whose turn cannot be stored, is recorded apart,
 * so that it is counted once, whichever process goes on with the run.
 */
export const commitTurn = async (deps: Deps, state: RunState, { turn, row, hold }: Answer, messageId: string):
Promise<Advance> => {
  addSpent(state, row)
  try {
    if (row.estimated) await recordCharge(deps, state, row)
    return await store(deps, state, turn, messageId, row.estimated ? undefined : row)
  } catch (error) {
    await recordCharge(deps, state, row)
    throw error
  } finally {
    hold.release(row.cost_usd_micros)
  }
}
