import { claimCall, isBeforeFailover, allowCall } from '../../../../db/agent/calls.js'
import { findConfirmation } from '../../../../db/agent/confirmations.js'
import { listPreferences } from '../../../../db/agent/preferences.js'
import { findCancelReason } from '../../../../db/agent/runs.js'
import type { Db } from '../../../../db/index.js'
import { mayPropose } from '../../../../lib/access/require-access.js'
import { findPerson } from '../../../../lib/account/people.js'
import { LostLease } from '../../../../lib/durable/kind.js'
import { type MadePlan, makePlan, PlanFailed } from '../../../../lib/tools/make-plan.js'
import type { Tool } from '../../../../lib/tools/tool.js'
import { ordinaryRequirement, type Requirement } from '../../../../schemas/agent/requirements.js'
import { ApiError } from '../../../../schemas/errors.js'
import { readStanding } from '../approvals/standing.js'
import { findForbidding } from '../plans/apply-preferences.js'
import { judgePlan, requirementOf, stricterRequirement } from '../plans/judge-plan.js'
import { unaskedEvent, failedPlan } from '../plans/propose-call.js'
import { commit } from '../run/commit.js'
import { sentEntry } from '../run/entries.js'
import { endCall, failure, withoutResult, type Ended, type Outcome } from '../run/results.js'
import type { Deps, OpenCall, RunState } from '../run/run-state.js'
import { replacingParked } from '../run/park-run.js'
import { send, argumentsOf, type Sent } from './send-call.js'

interface Made { tool: Tool, plan: MadePlan }

/** Whether policies or a grant let the call run, so no person has seen it. */
const isUnasked = ({ decided_by: by }: Pick<OpenCall, 'decided_by'>): boolean => by !== null &&
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
const runUnasked = async (deps: Deps, state: RunState, call: OpenCall, made: Made, { by }: { by: string }):
Promise<Requirement | undefined> => {
  if (made.plan.input_digest === call.input_digest && by === call.decided_by) return undefined
  if (call.status !== 'auto_approved') return ordinaryRequirement
  await allow(deps, state, call, made, by)
  return undefined
}

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
