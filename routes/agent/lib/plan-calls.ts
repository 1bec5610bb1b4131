import { v4 as randomUuid, v7 as uuid } from 'uuid'
import type { CallRow, ConfirmationRow } from '../../../db/agent/commit-run.js'
import type { NewEvent } from '../../../plugins/channel.js'
import type { ToolUsePart, Turn } from '../../../plugins/llm-turn.js'
import type { Arguments } from '../../../plugins/tool-options.js'
import { withDefaults } from './apply-preferences.js'
import { digestOf } from './digest.js'
import { objectToCall, refused, type ModelCall } from './object-to-call.js'
import { failedProposal, proposeCall } from './propose-call.js'
import { redact } from './redact.js'
import { endCall, type Outcome } from './results.js'
import type { Deps, RunState } from './run-state.js'

/** What becomes of one call of the model, and what is told about it. */
export interface Plan {
  row: CallRow
  confirmation?: ConfirmationRow
  events: NewEvent[]
}

const noTurn = {
  stop_reason: 'tool_use',
  usage: { input_tokens: 0, output_tokens: 0, cache_write_tokens: 0, cache_read_tokens: 0 },
  request_id: null
}

const callEvent = (row: CallRow, status: 'running' | 'awaiting_confirmation' | 'denied'): NewEvent => ({
  event: 'tool_call',
  data: {
    tool_call_id: row.id,
    name: row.name,
    arguments: row.effective_input ?? redact(row.input),
    effect: row.effect,
    status
  }
})

const ended = (deps: Deps, row: CallRow, outcome: Outcome): Plan => {
  const { ending, event } = endCall(row, outcome, deps.config.limits)
  return { row: { ...row, ...ending, decided_by: 'policy' }, events: [callEvent(row, 'denied'), event] }
}

const required = (state: RunState, confirmation: ConfirmationRow): NewEvent => {
  const { id: confirmation_id, ...shown } = confirmation
  const { session_id, run_id } = state.key
  return { event: 'confirmation_required', data: { confirmation_id, session_id, run_id, ...shown } }
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
  effective_input: call.args,
  input_digest: call.digest,
  status: 'dispatching',
  decided_by: 'policy',
  idempotency_key: randomUuid(),
  http_status: null,
  result: null,
  result_model: null,
  is_error: false
})

const toCall = (deps: Deps, state: RunState, turn: Turn, parts: ToolUsePart[], ordinal: number): ModelCall => {
  const part = parts[ordinal] as ToolUsePart
  const tool = deps.tools.find(part.name)
  const known = new Set(Object.keys(tool?.model.input_schema.properties ?? {}))
  const args = redact(withDefaults(part.name, known, part.input, state.preferences)) as Arguments
  const { workspace_id: workspaceId, user_id: userId } = state.key
  const digest = digestOf({ name: part.name, version: tool?.version ?? '', args, workspaceId, userId })
  const writesBefore = parts.slice(0, ordinal).filter(({ name }) => deps.tools.find(name)?.effect === 'write').length
  return { turn, part, ordinal, tool, args, digest, writesBefore }
}

const planCall = async (deps: Deps, state: RunState, messageId: string, call: ModelCall): Promise<Plan> => {
  const { tool, digest } = call
  const row = toRow(state, messageId, call)
  const objection = objectToCall(deps, state, call)
  state.seen.set(digest, (state.seen.get(digest) ?? 0) + 1)
  if (objection || !tool) return ended(deps, row, objection ?? refused('unknown_tool', 'There is no such tool'))
  if (tool.effect === 'read') return { row, events: [callEvent(row, 'running')] }
  try {
    const confirmation = await proposeCall(deps, state, tool, row)
    const waiting: CallRow = { ...row, status: 'awaiting', decided_by: null }
    return {
      row: waiting, confirmation, events: [callEvent(waiting, 'awaiting_confirmation'), required(state, confirmation)]
    }
  } catch (error) {
    return ended(deps, row, failedProposal(error))
  }
}

/** Decides over a call that a client proposed, with the same rules as over one of the model. */
export const planProposal = (deps: Deps, state: RunState, messageId: string, part: ToolUsePart): Promise<Plan> => {
  const turn: Turn = { ...noTurn, parts: [part], malformed: new Set() }
  return planCall(deps, state, messageId, toCall(deps, state, turn, [part], 0))
}

/** Decides over the calls of a turn: reads run, whatever else asks; unknown or unfit calls are answered at once. */
export const planCalls = (deps: Deps, state: RunState, turn: Turn, messageId: string, parts: ToolUsePart[]) =>
  Promise.all(parts.map((_, ordinal) => planCall(deps, state, messageId, toCall(deps, state, turn, parts, ordinal))))
