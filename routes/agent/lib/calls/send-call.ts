import { Effects, outcomeOf, recordEffects } from '../../../../db/effects.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { withTimeout } from '../../../../lib/tools/digest.js'
import type { MadePlan } from '../../../../lib/tools/make-plan.js'
import type { Arguments } from '../../../../lib/tools/options.js'
import type { Tool } from '../../../../lib/tools/tool.js'
import type { Answer } from '../../../../plugins/tools.js'
import { StateChanged } from '../../../../schemas/errors.js'
import { textIn } from '../../../../schemas/unknown.js'
import { watchToolCall } from '../run/record.js'
import { endCall, withoutResult, type Ended, type Outcome } from '../run/results.js'
import type { Deps, OpenCall, RunState } from '../run/run-state.js'

/** Another request with the same key is under way: what it does is not in the record of this one. */
const inProgress = 'idempotency_in_progress'

/** @param effects what the call has sent and committed; a read has none */
const toOutcome = (answer: Answer, effects: Effects, note?: string): Outcome => {
  const { status: http_status, body: result } = answer
  const status = textIn(result, 'code') === inProgress ? 'unknown' : outcomeOf(effects, http_status)
  return status === 'unknown'
    ? { ...withoutResult('unknown'), http_status, result }
    : { status, http_status, result, note }
}

/** Of a call whose process is gone: its key's row says whether it passed the point of no return. */
export const storedOutcome = ({ status, body }: Answer, sent: boolean, note?: string): Outcome => {
  if (status < 300) return { status: 'succeeded', http_status: status, result: body, note }
  return sent && status >= 500
    ? { ...withoutResult('unknown'), http_status: status, result: body }
    : { status: 'failed', http_status: status, result: body, note }
}

export const argumentsOf = (call: OpenCall): Arguments => call.effective_input ?? {}

/** What the model reads of a call that a person has changed. */
export const editNote = (call: OpenCall): string | undefined => call.edited
  ? `The user changed the arguments before running. Ran with: ${JSON.stringify(call.effective_input)}`
  : undefined

type Numbered = Pick<OpenCall, 'step' | 'ordinal'>

/** @returns how a report cites a call of its run: by the turn and the position in it, which are stored with the call */
export const citationOf = ({ step, ordinal }: Numbered): string => `${step}.${ordinal + 1}`

/** @returns what a model that writes a report reads with each result */
const citeNote = ({ firing }: Pick<RunState, 'firing'>, call: Numbered): string | undefined =>
  firing === null ? undefined : `Cite this result as [call:${citationOf(call)}]`

/** Runs a read. It may be repeated at will, so a crash in between costs nothing. */
export const executeRead = (deps: Deps, state: RunState, call: OpenCall): Promise<Ended> =>
  watchToolCall(deps, state, call, read(deps, state, call))

/** A write tool is called as a read where its plan says that the call only reads, such as a dry run. */
const readerOf = ({ principal }: RunState, { effect }: Tool): Principal =>
  effect === 'write' ? { ...principal, admitted: true } : principal

const read = async (deps: Deps, state: RunState, call: OpenCall): Promise<Ended> => {
  const tool = deps.tools.find(call.name, state.key.workspace_id)
  const { limits } = deps.config
  if (!tool) return endCall(call, withoutResult('failed', 'The tool is gone'), limits)
  const answer = await withTimeout(
    deps.tools.call(readerOf(state, tool), tool, argumentsOf(call)),
    limits.read_timeout_ms,
    state.abort.signal
  )
  if (answer === 'timeout') return endCall(call, withoutResult('timed_out'), limits)
  if (answer === 'aborted') {
    // A shutdown or a lost lease: whoever has the run next reads again.
    if (state.cancelled === null) throw state.abort.signal.reason
    return endCall(call, withoutResult('cancelled'), limits)
  }
  return endCall(call, toOutcome(answer, new Effects(), citeNote(state, call)), limits)
}

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
