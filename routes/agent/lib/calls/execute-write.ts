import { claimCall, isBeforeFailover } from '../../../../db/agent/calls.js'
import { findCancelReason } from '../../../../db/agent/runs.js'
import { findPerson } from '../../../../lib/account/people.js'
import { LostLease } from '../../../../lib/durable/errors.js'
import type { Tool } from '../../../../lib/tools/tool.js'
import { sentEntry } from '../run/entries.js'
import { afterFailover, recheck, settleSent, type Changed } from './recheck-call.js'
import { endCall, failure, withoutResult, type Ended, type Outcome } from '../run/results.js'
import type { Deps, OpenCall, RunState } from '../run/run-state.js'
import { send } from './send-call.js'

/** @returns why the call may not run any more; undefined when its person still may run it */
const whyNotRun = async (deps: Deps, state: RunState, call: OpenCall, tool: Tool | undefined):
Promise<Outcome | undefined> => {
  if (state.firing !== null) return failure('only_reads', 'Nobody reads along: this run changes nothing')
  if (!tool || tool.version !== call.tool_version) {
    return failure('tool_registry_changed', 'The tool changed while it waited')
  }
  const { workspace_id: workspaceId, user_id: userId } = state.key
  const person = await findPerson(deps.db, workspaceId, userId)
  if (person?.status !== 'active') return failure('permission_revoked', 'The person may not act any more')
  state.principal = { ...state.principal, role: person.role, bindings: person.bindings }
  return undefined
}

/**
 * Executes a write that was approved, or that policies or a grant let run. It is planned once more, and runs only on
 * the state that was shown; then it is claimed, in a commit of its own, so that it is sent at most once.
 */
export const executeWrite = async (
  deps: Deps,
  state: RunState,
  call: OpenCall,
  onClaimed: () => Promise<void>
): Promise<Ended | Changed> => {
  const tool = deps.tools.find(call.name, state.key.workspace_id)
  const reason = await whyNotRun(deps, state, call, tool)
  if (reason || !tool) return endCall(call, reason ?? withoutResult('failed'), deps.config.limits)
  deps.failpoint('call.before_plan')
  const found = await recheck(deps, state, call, tool)
  if (found.kind === 'refused') return endCall(call, found.outcome, deps.config.limits)
  if (found.kind === 'changed') return found.changed
  call.target = found.plan.target?.id ?? null
  deps.failpoint('call.before_claim')
  if (!(await claimCall(deps.db, state.key, call.id, sentEntry(state, call, found)))) {
    if (await isBeforeFailover(deps.db, state.key.workspace_id, call.id)) return afterFailover(tool, found)
    // A cancel may be the reason before this process has polled it.
    state.cancelled ??= (await findCancelReason(deps.db, state.key)) ?? null
    if (state.cancelled !== null) return endCall(call, withoutResult('cancelled'), deps.config.limits)
    throw new LostLease()
  }
  deps.failpoint('call.after_claim')
  await onClaimed()
  return settleSent(deps, state, call, tool, await send(deps, state, call, tool, found.plan))
}
