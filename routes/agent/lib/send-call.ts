import { Effects, outcomeOf, recordEffects } from '../../../db/effects.js'
import { withTimeout } from '../../../lib/tools/with-timeout.js'
import type { Tool } from '../../../lib/tools/tool.js'
import { argumentsOf, editNote, toOutcome } from './answer-outcome.js'
import { watchToolCall } from './record.js'
import { endCall, withoutResult, type Ended } from './results.js'
import type { Deps, OpenCall, RunState } from './run-state.js'

/** Sends a write that this process has claimed. */
export const send = (deps: Deps, state: RunState, call: OpenCall, tool: Tool, ifMatch?: string): Promise<Ended> =>
  watchToolCall(deps, state, call, sendOnce(deps, state, call, tool, ifMatch))

const sendOnce = async (deps: Deps, state: RunState, call: OpenCall, tool: Tool, ifMatch?: string): Promise<Ended> => {
  const { limits } = deps.config
  deps.failpoint('call.before_send')
  const conditions = { idempotencyKey: call.idempotency_key, ...(ifMatch !== undefined && { ifMatch }) }
  const effects = new Effects()
  // A provider that keeps a log of its own records which approval a write follows from.
  const { question: confirmation_id } = call
  const approved = confirmation_id !== undefined && { confirmation_id }
  const actor = { ...state.principal, admitted: true, write_id: call.id, ...approved }
  const work = recordEffects(effects, () => deps.tools.call(actor, tool, argumentsOf(call), conditions))
  const answer = await withTimeout(work, limits.write_timeout_ms)
  deps.failpoint('call.after_send')
  if (typeof answer !== 'string') {
    return withCalls(endCall(call, toOutcome(answer, effects, editNote(call)), limits), effects)
  }
  // What has not passed the point of no return by now never will.
  effects.abandon()
  const outcome = outcomeOf(effects, undefined) === 'unknown'
    ? withoutResult('unknown')
    : withoutResult('failed', 'It took too long before anything was sent. Nothing was done.')
  return withCalls(endCall(call, outcome, limits), effects)
}

/** The record names each call to a provider. */
const withCalls = ({ ending, event }: Ended, { made }: Effects): Ended =>
  ({ ending: { ...ending, made: [...made] }, event })
