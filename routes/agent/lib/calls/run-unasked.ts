import { allowCall } from '../../../../db/agent/calls.js'
import type { Db } from '../../../../db/index.js'
import { ordinaryRequirement, type Requirement } from '../../../../schemas/agent/requirements.js'
import { commit } from '../run/commit.js'
import type { MadePlan } from '../../../../lib/tools/make-plan.js'
import type { Tool } from '../../../../lib/tools/tool.js'
import { unaskedEvent } from '../plans/propose-call.js'
import type { Deps, OpenCall, RunState } from '../run/run-state.js'
import { replacingParked } from '../run/supersede-parked.js'

interface Made { tool: Tool, plan: MadePlan }

/** Whether policies or a grant let the call run, so no person has seen it. */
export const isUnasked = ({ decided_by: by }: Pick<OpenCall, 'decided_by'>): boolean => by !== null &&
  (by.startsWith('policy:') || by.startsWith('grant:'))

/** @returns what lets the call run unasked, as clients are shown it */
export const shownDecider = (call: Pick<OpenCall, 'decided_by'>): { decided_by?: string } =>
  isUnasked(call) && call.decided_by !== null ? { decided_by: call.decided_by } : {}

/** Lets a call run without a question, with this plan; the stream shows it. */
export const allow = async (deps: Deps, state: RunState, call: OpenCall, { tool, plan }: Made, by: string):
Promise<void> => {
  const { workspace_id: workspaceId } = state.key
  const { arguments: effective_input, input_digest } = plan
  const allowed = { by, arguments: effective_input, input_digest, tool_version: tool.version }
  const replace = await replacingParked(deps, state, [plan.target])
  const first = async (trx: Db) => {
    await allowCall(trx, workspaceId, call.id, allowed)
    await replace?.(trx)
  }
  await commit({ db: deps.db, first }, state, { status: 'running' }, [unaskedEvent(call, plan, by)])
  Object.assign(call, { status: 'auto_approved', decided_by: by, effective_input, input_digest })
}

/**
 * Lets a call run unasked that the rules still let run, on the plan that was made right before it is sent.
 * @returns who has to approve it instead: it was claimed already with another plan, so a person sees what it is now
 */
export const runUnasked = async (deps: Deps, state: RunState, call: OpenCall, made: Made, { by }: { by: string }):
Promise<Requirement | undefined> => {
  if (made.plan.input_digest === call.input_digest && by === call.decided_by) return undefined
  if (call.status !== 'auto_approved') return ordinaryRequirement
  await allow(deps, state, call, made, by)
  return undefined
}
