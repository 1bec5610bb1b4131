import { highestRole } from '../../../../lib/access/role-on.js'
import { hasRole } from '../../../../lib/security/principal.js'
import type { ToolUsePart, Turn } from '../../../../lib/llm/turn.js'
import type { Arguments } from '../../../../lib/tools/options.js'
import type { Tool } from '../../../../lib/tools/tool.js'
import { failure, type Outcome } from '../run/results.js'
import type { Deps, RunState } from '../run/run-state.js'

/** A call of a turn, as the model made it. */
export interface ModelCall {
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
export const whyDenied = (deps: Deps, state: RunState, call: ModelCall): Outcome | undefined => {
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
