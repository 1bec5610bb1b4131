import { v4 as randomUuid, v7 as uuid } from 'uuid'
import type { CallRow, ConfirmationRow } from '../../../../db/agent/commit-run.js'
import { listParkedQuestions } from '../../../../db/agent/parked.js'
import { highestRole } from '../../../../lib/access/require-access.js'
import type { ToolUsePart, Turn } from '../../../../lib/llm/turn.js'
import { hasRole } from '../../../../lib/security/principal.js'
import { depends } from '../../../../lib/tools/changes.js'
import { callKeyOf } from '../../../../lib/tools/digest.js'
import type { Target, Arguments } from '../../../../lib/tools/options.js'
import type { Tool } from '../../../../lib/tools/tool.js'
import type { NewChatEvent } from '../../../../schemas/agent/events.js'
import { itemAt, fieldsOf } from '../../../../schemas/unknown.js'
import { withDefaults } from '../plans/apply-preferences.js'
import { proposeCall, questionEvent, unaskedEvent, type Proposal } from '../plans/propose-call.js'
import { redact } from '../../../../lib/security/redaction.js'
import { endCall, failure, type Outcome } from '../run/results.js'
import type { Deps, RunState } from '../run/run-state.js'

/** A call of a turn, as the model made it. */
interface ModelCall {
  turn: Turn
  part: ToolUsePart
  ordinal: number
  tool: Tool | undefined
  args: Arguments
  /** Names the call as the model made it. */
  key: string
  /** Writes of the turn before this one. */
  writesBefore: number
  /** Questions of the session that wait beside its conversation. */
  waitsBefore: number
}

const overLimit = (deps: Deps, state: RunState, call: ModelCall): Outcome | undefined => {
  const limits = deps.workspaces.limitsOf(state.key.workspace_id)
  if (call.ordinal >= limits.tool_calls_per_turn) {
    return failure('too_many_calls', 'Too many calls in one turn; plan first')
  }
  if (state.toolCalls + call.ordinal >= limits.tool_calls_per_run) {
    return failure('too_many_calls', 'Too many calls in one run')
  }
  if (call.tool?.effect === 'write' && call.writesBefore + call.waitsBefore >= limits.pending_confirmations_per_session) {
    return failure('too_many_pending', 'Too many approvals at once; go on when these are decided')
  }
  if ((state.seen.get(call.key) ?? 0) >= limits.repeated_calls) {
    return failure('repeated_call', 'The same call again and again')
  }
  return undefined
}

/** @returns why the call may not run, nor be asked about; undefined when it may, as far as its arguments say */
const whyDenied = (deps: Deps, state: RunState, call: ModelCall): Outcome | undefined => {
  const { turn, part, tool, args } = call
  if (tool?.effect === 'write' && !hasRole({ role: highestRole(state.principal) }, 'operator')) {
    return failure('insufficient_role', 'The person may only read: a change needs the role operator, which they lack')
  }
  if (!tool || !deps.tools.mayUse(state.principal, tool)) {
    return failure('unknown_tool', `There is no tool ${part.name.slice(0, 64)} for this person`)
  }
  const limit = overLimit(deps, state, call)
  if (limit) return limit
  if (turn.malformed.has(part)) return failure('arguments_malformed', 'The arguments are not a whole JSON object')
  const errors = tool.check(args)
  return errors.length > 0 ? failure('arguments_invalid', 'The arguments do not fit the tool', { errors }) : undefined
}

/** One call of the model after planning, with the events that announce it. */
export interface PlannedCall {
  row: CallRow
  confirmation?: ConfirmationRow
  /** Of a write that asks, or runs: what it acts on. */
  target?: Target | null
  events: NewChatEvent[]
}

const noTurn = {
  stop_reason: 'tool_use',
  usage: { input_tokens: 0, output_tokens: 0, cache_write_tokens: 0, cache_read_tokens: 0 },
  request_id: null
}

const callEvent = (row: CallRow, status: 'running' | 'awaiting_confirmation' | 'denied'): NewChatEvent => ({
  event: 'tool_call',
  data: {
    tool_call_id: row.id,
    name: row.name,
    arguments: row.effective_input ?? redact(row.input),
    effect: row.effect,
    status
  }
})

const ended = (deps: Deps, row: CallRow, outcome: Outcome): PlannedCall => {
  const { ending, event } = endCall(row, outcome, deps.config.limits)
  return { row: { ...row, ...ending, decided_by: 'policy' }, events: [callEvent(row, 'denied'), event] }
}

const toRow = (state: RunState, messageId: string, call: ModelCall): CallRow => ({
  id: uuid(),
  message_id: messageId,
  step: state.step + 1,
  ordinal: call.ordinal,
  tool_use_id: call.part.id,
  name: call.part.name.slice(0, 64),
  tool_version: call.tool?.version ?? '',
  effect: call.tool?.effect ?? 'write',
  input: call.part.input,
  effective_input: null,
  input_digest: call.key,
  status: 'dispatching',
  decided_by: 'policy',
  idempotency_key: randomUuid(),
  http_status: null,
  result: null,
  result_model: null,
  is_error: false
})

const toCall = (deps: Deps, state: RunState, turn: Turn, parts: ToolUsePart[], ordinal: number, waitsBefore: number):
ModelCall => {
  const part = itemAt(parts, ordinal)
  const tool = deps.tools.find(part.name, state.key.workspace_id)
  const known = tool?.fields ?? new Set<string>()
  const args = withDefaults(part.name, known, part.input, state.preferences)
  const writesBefore = parts.slice(0, ordinal)
    .filter(({ name }) => deps.tools.find(name, state.key.workspace_id)?.effect === 'write').length
  return { turn, part, ordinal, tool, args, key: callKeyOf(part.name, part.input), writesBefore, waitsBefore }
}

/** A write that policies or a grant let run: its plan is in the stream, though it asks nothing. */
const unasked = (row: CallRow, { plan, by }: Extract<Proposal, { kind: 'run' }>): PlannedCall => {
  const { arguments: effective_input, input_digest } = plan
  const allowed: CallRow = { ...row, effective_input, input_digest, status: 'auto_approved', decided_by: by }
  return { row: allowed, target: plan.target, events: [unaskedEvent(allowed, plan, by)] }
}

const running = (row: CallRow): PlannedCall => ({ row, events: [callEvent(row, 'running')] })

/** A write that waits for the writes before it: it is planned on the state that they leave. */
const deferred = (row: CallRow): PlannedCall => {
  const waiting: CallRow = { ...row, status: 'awaiting', decided_by: null }
  return { row: waiting, events: [callEvent(waiting, 'awaiting_confirmation')] }
}

const awaiting = (state: RunState, row: CallRow, { confirmation }: Extract<Proposal, { kind: 'ask' }>): PlannedCall => {
  const { arguments: effective_input, input_digest } = confirmation
  const waiting: CallRow = { ...row, effective_input, input_digest, status: 'awaiting', decided_by: null }
  const events = [callEvent(waiting, 'awaiting_confirmation'), questionEvent(state, confirmation)]
  return { row: waiting, confirmation, target: confirmation.target, events }
}

/** A call that is being planned: its row, and its denial or its proposal. */
interface Draft { row: CallRow, refusal?: Outcome, proposal?: Proposal }

/** Leaves a question for later instead of asking it in the run. @returns the end of its call */
export type Leave = (proposed: Extract<Proposal, { kind: 'ask' | 'run' }>, tool: string) => Promise<Outcome>

const draftCall = async (deps: Deps, state: RunState, messageId: string, call: ModelCall, leave: Leave | undefined):
Promise<Draft> => {
  const row = toRow(state, messageId, call)
  const refusal = whyDenied(deps, state, call)
  state.seen = new Map(state.seen).set(call.key, (state.seen.get(call.key) ?? 0) + 1)
  if (refusal || !call.tool) return { row, refusal: refusal ?? failure('unknown_tool', 'There is no such tool') }
  // Redacted only now: a text that fits no schema is not worth reading.
  const known: CallRow = { ...row, effective_input: fieldsOf(redact(call.args)) }
  if (call.tool.effect === 'read') return { row: known }
  const proposal = await proposeCall(deps, state, call.tool, known)
  // Nobody reads along: what policies let run is proposed all the same, and judged where it is.
  const isLeft = proposal.kind === 'ask' || proposal.kind === 'run'
  return leave && isLeft ? { row: known, refusal: await leave(proposal, call.tool.name) } : { row: known, proposal }
}

/**
 * Of the writes of a turn, those are asked together that have nothing to do with each other. One that acts on the
 * target of an earlier one, or cannot be planned yet, waits until the earlier ones have ended.
 */
const settleDrafts = (deps: Deps, state: RunState, drafts: readonly Draft[]): PlannedCall[] => {
  const open: Target[] = []
  return drafts.map(({ row, refusal, proposal }) => {
    if (refusal) return ended(deps, row, refusal)
    if (!proposal) return running(row)
    if (proposal.kind === 'refuse') {
      return proposal.final || open.length === 0 ? ended(deps, row, proposal.outcome) : deferred(row)
    }
    if (proposal.kind === 'read') {
      return running({ ...row, effect: 'read', effective_input: proposal.plan.arguments })
    }
    const { target } = proposal.plan
    const settled = () => proposal.kind === 'run' ? unasked(row, proposal) : awaiting(state, row, proposal)
    const waits = open.some((earlier) => depends(earlier, target))
    open.push(target)
    return waits ? deferred(row) : settled()
  })
}

/** Plans calls that a client proposed together, by the same rules as a turn of the model. */
export const planProposals = (deps: Deps, state: RunState, messageId: string, parts: ToolUsePart[]) =>
  planCalls(deps, state, { ...noTurn, parts, malformed: new Set() }, messageId, parts)

/** Plans the calls of a turn: reads run, writes ask for approval, unknown or invalid calls are denied at once. */
export const planCalls = async (deps: Deps, state: RunState, turn: Turn, messageId: string, parts: ToolUsePart[],
  leave?: Leave) => {
  const { workspace_id, user_id, session_id } = state.key
  await deps.tools.prepare(workspace_id, parts.map(({ name }) => name))
  const writes = state.kind === 'chat' && parts.some(({ name }) => deps.tools.find(name, workspace_id)?.effect === 'write')
  const waits = writes ? (await listParkedQuestions(deps.db, workspace_id, user_id, session_id)).length : 0
  return settleDrafts(deps, state, await Promise.all(parts.map((_, ordinal) =>
    draftCall(deps, state, messageId, toCall(deps, state, turn, parts, ordinal, waits), leave))))
}
