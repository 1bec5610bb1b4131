import { Effects, outcomeOf, recordEffects } from '../../../../db/effects.js'
import type { MadePlan } from '../../../../lib/tools/make-plan.js'
import { withTimeout } from '../../../../lib/tools/with-timeout.js'
import type { Tool } from '../../../../lib/tools/tool.js'
import type { Answer } from '../../../../plugins/tools.js'
import { StateChanged } from '../../../../schemas/errors.js'
import { textIn } from '../../../../schemas/unknown.js'
import { argumentsOf, editNote, toOutcome } from './answer-outcome.js'
import { watchToolCall } from '../run/record.js'
import { endCall, withoutResult, type Ended } from '../run/results.js'
import type { Deps, OpenCall, RunState } from '../run/run-state.js'

/** The plan as it was made last: the route compares its condition with the target right before it sends. */
type Shown = Pick<MadePlan, 'ifMatch' | 'facts'>

/** `drifted`: the route found another state than the plan's, and sent nothing. */
export type Sent = Ended & { drifted?: true }

/** Sends a write that this process has claimed. */
export const send = (deps: Deps, state: RunState, call: OpenCall, tool: Tool, shown: Shown): Promise<Sent> =>
  watchToolCall(deps, state, call, sendOnce(deps, state, call, tool, shown))

/** The target has changed between the plan and the read before the send. */
const isDrift = ({ status, body }: Answer, { called }: Effects): boolean =>
  !called && status === StateChanged.status && textIn(body, 'code') === StateChanged.code

const sendOnce = async (deps: Deps, state: RunState, call: OpenCall, tool: Tool, { ifMatch, facts }: Shown):
Promise<Sent> => {
  const { limits } = deps.config
  deps.failpoint('call.before_send')
  const conditions = { idempotencyKey: call.idempotency_key, ifMatch, expected: facts }
  const effects = new Effects()
  // A provider that keeps a log of its own records which approval a write follows from.
  const { question: confirmation_id } = call
  const approved = confirmation_id !== undefined && { confirmation_id }
  const actor = { ...state.principal, admitted: true, write_id: call.id, ...approved }
  const work = recordEffects(effects, () => deps.tools.call(actor, tool, argumentsOf(call), conditions))
  const answer = await withTimeout(work, limits.write_timeout_ms)
  deps.failpoint('call.after_send')
  if (typeof answer !== 'string') {
    const ended = withCalls(endCall(call, toOutcome(answer, effects, editNote(call)), limits), effects)
    return isDrift(answer, effects) ? { ...ended, drifted: true } : ended
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
