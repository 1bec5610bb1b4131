import { Effects } from '../../../../db/effects.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { withTimeout } from '../../../../lib/tools/with-timeout.js'
import type { Tool } from '../../../../lib/tools/tool.js'
import { argumentsOf, toOutcome } from './answer-outcome.js'
import { citeNote } from './cite-call.js'
import { watchToolCall } from '../run/record.js'
import { endCall, withoutResult, type Ended } from '../run/results.js'
import type { Deps, OpenCall, RunState } from '../run/run-state.js'

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
