import { findConfirmation } from '../../../../db/agent/confirmations.js'
import { listPreferences } from '../../../../db/agent/preferences.js'
import { mayPropose } from '../../../../lib/access/may-approve.js'
import { makePlan, PlanFailed, type MadePlan } from '../../../../lib/tools/make-plan.js'
import type { Tool } from '../../../../lib/tools/tool.js'
import { ordinaryRequirement, type Requirement } from '../../../../schemas/agent/requirements.js'
import { ApiError } from '../../../../schemas/errors.js'
import { argumentsOf } from './answer-outcome.js'
import { findForbidding } from '../plans/apply-preferences.js'
import { judgePlan } from '../plans/judge-plan.js'
import { failedPlan } from '../plans/propose-call.js'
import { endCall, failure, type Ended, type Outcome } from '../run/results.js'
import type { Deps, OpenCall, RunState } from '../run/run-state.js'
import { isUnasked, runUnasked } from './run-unasked.js'
import type { Sent } from './send-call.js'
import { readStanding } from '../approvals/standing.js'
import { requirementOf, stricterRequirement } from '../plans/stricter-requirement.js'

/** The state is not the one that was shown, or too few of those who count have approved it: it is asked again. */
export interface Changed {
  tool: Tool
  plan: MadePlan
  /** Who has to approve it now. */
  requirement: Requirement
  why: 'state_changed' | 'approvals_changed'
  /** It was approved before a failover: a person has to look. */
  mayHaveRun?: true
}

interface Made { tool: Tool, plan: MadePlan }

/** What the recheck before a write found. */
export type Recheck =
  | { kind: 'same', plan: MadePlan, requirement: Requirement }
  | { kind: 'changed', changed: Changed }
  | { kind: 'refused', outcome: Outcome }

const notRun = 'It was approved, but it did not run, because its target could not be read first.'

/** Counts who has approved the plan, as the rules and their rights are now. */
const recount = async (deps: Deps, call: OpenCall, made: Made, judged: Requirement | undefined, workspaceId: string):
Promise<Recheck> => {
  const asked = call.question === undefined ? undefined : await findConfirmation(deps.db, workspaceId, call.question)
  const stored = asked ? requirementOf(asked) : undefined
  const requirement = stored && judged ? stricterRequirement(stored, judged) : stored ?? judged ?? ordinaryRequirement
  if (made.plan.input_digest !== call.input_digest) {
    return { kind: 'changed', changed: { ...made, requirement, why: 'state_changed' } }
  }
  const missing = asked && (await readStanding(deps.db, workspaceId, { ...asked, requirement })).missing
  return missing === 0
    ? { kind: 'same', plan: made.plan, requirement }
    : { kind: 'changed', changed: { ...made, requirement, why: 'approvals_changed' } }
}

/** Judges the plan that was made right before it is sent: rules, rights and grants may have changed since. */
const rejudge = async (deps: Deps, state: RunState, call: OpenCall, made: Made): Promise<Recheck> => {
  const { workspace_id: workspaceId, session_id, run_id } = state.key
  const asking = { actor: state.principal, session_id, run_id, triggered: state.triggered }
  const verdict = await judgePlan(deps, asking, made.tool, made.plan)
  if (verdict.kind === 'forbid') {
    return { kind: 'refused', outcome: { ...failure(verdict.code, verdict.reason), status: 'denied' } }
  }
  const judged = verdict.kind === 'ask' ? verdict.requirement : undefined
  if (!isUnasked(call)) return recount(deps, call, made, judged, workspaceId)
  const needs = verdict.kind === 'run' ? await runUnasked(deps, state, call, made, verdict) : judged
  return needs === undefined
    ? { kind: 'same', plan: made.plan, requirement: ordinaryRequirement }
    : { kind: 'changed', changed: { ...made, requirement: needs, why: 'approvals_changed' } }
}

/** Plans the write once more, and judges and counts anew, right before it is claimed. */
export const recheck = async (deps: Deps, state: RunState, call: OpenCall, tool: Tool): Promise<Recheck> => {
  const { workspace_id: workspaceId, user_id: userId } = state.key
  const args = argumentsOf(call)
  try {
    const plan = await makePlan(deps, state.principal, tool, args)
    if (plan.effect === 'write' && !mayPropose(state.principal, plan.target)) {
      return { kind: 'refused', outcome: failure('permission_revoked', 'The person may not change this any more') }
    }
    const key = findForbidding(tool, args, plan, await listPreferences(deps.db, workspaceId, userId))
    if (key !== undefined) {
      const outcome = failure('forbidden_by_preference', `The person's preference ${key} forbids this`)
      return { kind: 'refused', outcome: { ...outcome, status: 'denied' } }
    }
    return await rejudge(deps, state, call, { tool, plan })
  } catch (error) {
    if (!(error instanceof ApiError) && !(error instanceof PlanFailed)) throw error
    return { kind: 'refused', outcome: { ...failedPlan(error), note: notRun } }
  }
}

/** A write that may have run before a standby took over: a person has to look. */
export const afterFailover = (tool: Tool, { plan, requirement }: Pick<Changed, 'plan' | 'requirement'>): Changed =>
  ({ tool, plan, requirement, why: 'state_changed', mayHaveRun: true })

/** What was sent has ended; what found another state than the one that was approved is asked again on that. */
export const settleSent = async (deps: Deps, state: RunState, call: OpenCall, tool: Tool,
  { drifted, ...ended }: Sent): Promise<Ended | Changed> => {
  if (!drifted) return ended
  const found = await recheck(deps, state, call, tool)
  if (found.kind === 'refused') return endCall(call, found.outcome, deps.config.limits)
  // By now it may be again as it was shown; that it was not is reason enough to ask.
  return found.kind === 'changed'
    ? found.changed
    : { tool, plan: found.plan, requirement: found.requirement, why: 'state_changed' }
}
