import type { ToolUsePart, Turn } from '../../../plugins/llm-turn.js'
import type { Arguments } from '../../../plugins/tool-options.js'
import type { Tool } from '../../../plugins/tools.js'
import { findForbidding } from './apply-preferences.js'
import type { Outcome } from './results.js'
import type { Deps, RunState } from './run-state.js'

/** A call of a turn, as the model made it. */
export interface ModelCall {
  turn: Turn
  part: ToolUsePart
  ordinal: number
  tool: Tool | undefined
  args: Arguments
  digest: string
  /** Writes of the turn before this one. */
  writesBefore: number
}

export const refused = (code: string, detail: string, more: object = {}): Outcome => ({
  status: 'failed',
  http_status: null,
  result: { code, detail, ...more }
})

const overLimit = (deps: Deps, state: RunState, call: ModelCall): Outcome | undefined => {
  const { limits } = deps.config
  if (call.ordinal >= limits.tool_calls_per_turn) {
    return refused('too_many_calls', 'Too many calls in one turn; plan first')
  }
  if (state.toolCalls + call.ordinal >= limits.tool_calls_per_run) {
    return refused('too_many_calls', 'Too many calls in one run')
  }
  if (call.tool?.effect === 'write' && call.writesBefore >= limits.pending_confirmations_per_session) {
    return refused('too_many_pending', 'Too many approvals at once; go on when these are decided')
  }
  if ((state.seen.get(call.digest) ?? 0) >= limits.repeated_calls) {
    return refused('repeated_call', 'The same call again and again')
  }
  return undefined
}

/** @returns why the call may not run, nor be asked about; undefined when it may */
export const objectToCall = (deps: Deps, state: RunState, call: ModelCall): Outcome | undefined => {
  const { turn, part, tool, args, digest } = call
  if (!tool || !deps.tools.mayUse(state.principal, tool)) {
    return refused('unknown_tool', `There is no tool ${part.name.slice(0, 64)} for this person`)
  }
  if (turn.malformed.has(part)) return refused('arguments_malformed', 'The arguments are not a whole JSON object')
  const errors = tool.check(args)
  if (errors.length > 0) return refused('arguments_invalid', 'The arguments do not fit the tool', { errors })
  if (state.rejected.has(digest)) return refused('declined_before', 'The person has declined this very call')
  const key = findForbidding(part.name, args, state.preferences)
  return key === undefined
    ? overLimit(deps, state, call)
    : { ...refused('forbidden_by_preference', `The person's preference ${key} forbids this`), status: 'denied' }
}
