import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import { v7 as uuid } from 'uuid'
import type { NewEvent } from '../../../plugins/channel.js'
import type { Part, ToolUsePart, Turn } from '../../../plugins/llm-turn.js'
import { addSpent } from './ask-for-budget.js'
import { closingMessage, commit } from './commit.js'
import { doneData, errorEvent, factsOf } from './finish.js'
import { planCalls, type Plan } from './plan-calls.js'
import { partialOf, type Advance, type Deps, type OpenCall, type RunState } from './run-state.js'

const isToolUse = (part: Part): part is ToolUsePart => part.type === 'tool_use'

const idsIn = (messages: readonly MessageParam[]): string[] =>
  messages.flatMap(({ content }) => typeof content === 'string' ? [] : content)
    .flatMap((block) => block.type === 'tool_use' ? block.id : [])

/** The API takes no id twice in a conversation: a call whose id is taken, or is none, gets one of ours. */
const giveUniqueIds = (state: RunState, calls: readonly ToolUsePart[]): void => {
  if (calls.length === 0) return
  const ids = new Set(idsIn(state.messages))
  for (const call of calls) {
    if (ids.has(call.id) || !/^[\w-]{1,128}$/.test(call.id)) call.id = `toolu_${uuid().replaceAll('-', '')}`
    ids.add(call.id)
  }
}

const count = (deps: Deps, state: RunState, turn: Turn) => {
  const cost = deps.llm.cost(turn.usage) ?? 0
  state.usage.model_calls++
  state.usage.input_tokens += turn.usage.input_tokens
  state.usage.output_tokens += turn.usage.output_tokens
  state.usage.cache_read_tokens += turn.usage.cache_read_tokens
  addSpent(state, cost)
  return {
    id: uuid(),
    model: state.model,
    ...turn.usage,
    cost_usd_micros: cost,
    provider_request_id: turn.request_id
  }
}

const troubles: Record<string, { code: string; message: string }> = {
  refusal: { code: 'model_refused', message: 'The model declined to answer.' },
  max_tokens: { code: 'model_output_truncated', message: 'The answer was cut at its longest.' },
  model_context_window_exceeded: {
    code: 'model_context_exceeded',
    message: 'The conversation is too long; start a new one.'
  }
}

const finalEvents = (state: RunState, turn: Turn, messageId: string | null): NewEvent[] => {
  const trouble = troubles[turn.stop_reason ?? '']
  const end = {
    status: 'completed' as const,
    final: true,
    stop_reason: turn.stop_reason,
    message_id: messageId,
    pending: []
  }
  return [
    ...(trouble ? [errorEvent({ ...trouble, fatal: false, retryable: false })] : []),
    { event: 'done', data: doneData(factsOf(state), end) }
  ]
}

const textOf = (parts: Part[]) => parts.map((part) => (part.type === 'text' ? String(part.text) : '')).join('')

const toOpenCall = ({ row }: Plan): OpenCall => ({ ...row, claim_epoch: null })

/** @returns where the run stands after this turn */
const statusAfter = (turn: Turn, plans: Plan[]) => {
  if (turn.stop_reason === 'pause_turn') return 'running'
  if (plans.length === 0) return 'completed'
  const open = plans.filter(({ row }) => row.result_model === null)
  return open.length > 0 && open.every(({ row }) => row.status === 'awaiting') ? 'awaiting_confirmation' : 'running'
}

const spokenMessage = (state: RunState, turn: Turn, id: string, parts: Part[]) => ({
  id,
  seq: state.nextSeq,
  role: 'assistant' as const,
  content: parts,
  search_text: textOf(parts),
  stop_reason: turn.stop_reason
})

/**
 * Stores the turn, its calls, its approvals and its usage in one commit; nothing runs before it. Calls of a turn that
 * was cut or refused are dropped.
 */
export const commitTurn = async (deps: Deps, state: RunState, turn: Turn, messageId: string): Promise<Advance> => {
  const acts = turn.stop_reason === 'tool_use'
  const parts = turn.parts.filter((part) => acts || !isToolUse(part))
  const calls = parts.filter(isToolUse)
  giveUniqueIds(state, calls)
  const plans = await planCalls(deps, state, turn, messageId, calls)
  const status = statusAfter(turn, plans)
  const usage = count(deps, state, turn)
  state.toolCalls += plans.length
  state.calls = plans.map(toOpenCall)
  const spoken = parts.length > 0 ? [spokenMessage(state, turn, messageId, parts)] : []
  const results = closingMessage({ ...state, nextSeq: state.nextSeq + 1 }, [])
  const events = plans.flatMap((plan) => plan.events)
  deps.crossing('turn.before_commit')
  await commit(deps, state, {
    status,
    messages: results ? [...spoken, results] : spoken,
    calls: plans.map(({ row }) => row),
    confirmations: plans.flatMap(({ confirmation }) => confirmation ?? []),
    usage,
    steps: 1
  }, status === 'completed' ? [...events, ...finalEvents(state, turn, spoken[0]?.id ?? null)] : events)
  deps.crossing('turn.after_commit')
  state.partial = partialOf('')
  // Stored parts are blocks of the API's own form.
  if (parts.length > 0) state.messages.push({ role: 'assistant', content: parts as never })
  if (results) {
    state.messages.push({ role: 'user', content: results.content })
    state.calls = []
  }
  return status === 'running' ? 'go' : 'stop'
}
