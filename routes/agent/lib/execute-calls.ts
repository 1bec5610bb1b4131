import { claimCall, isBeforeFailover, reclaimCall } from '../../../db/agent/calls.js'
import { findCancelReason } from '../../../db/agent/runs.js'
import type { CallEnding } from '../../../db/agent/commit-run.js'
import { Effects, outcomeOf, recordEffects } from '../../../db/effects.js'
import { findKey, releaseKey, releaseUnsent } from '../../../db/idempotency.js'
import { mayPropose } from '../../../lib/access/may-approve.js'
import { findPerson } from '../../../lib/account/people.js'
import type { NewChatEvent } from '../../../schemas/agent/events.js'
import { keyScope } from '../../../lib/http/idempotency-key.js'
import type { Principal } from '../../../lib/security/principal.js'
import type { Arguments } from '../../../lib/tools/options.js'
import type { Answer, Tool } from '../../../plugins/tools.js'
import { isUnasked, runUnasked } from './run-unasked.js'
import { failedPlan, unclear } from './propose-call.js'
import { listPreferences } from '../../../db/agent/preferences.js'
import { ApiError } from '../../../schemas/errors.js'
import { findConfirmation } from '../../../db/agent/confirmations.js'
import { ordinaryRequirement, type Requirement } from '../../../schemas/agent/requirements.js'
import { judgePlan } from './judge-plan.js'
import { readStanding } from './standing.js'
import { requirementOf, stricterRequirement } from './stricter-requirement.js'
import { LostLease } from '../../../lib/durable/errors.js'
import { findForbidding } from './apply-preferences.js'
import { makePlan, PlanFailed, type MadePlan } from '../../../lib/tools/make-plan.js'
import { endCall, failure, withoutResult, type Outcome } from './results.js'
import { watchToolCall } from './record.js'
import { citeNote } from './cite-call.js'
import { sentEntry } from './entries.js'
import { withTimeout } from '../../../lib/tools/with-timeout.js'
import type { Deps, OpenCall, RunState } from './run-state.js'
import { textIn } from '../../../schemas/unknown.js'

export interface Ended {
  ending: CallEnding
  event: NewChatEvent
}

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
const storedOutcome = ({ status, body }: Answer, sent: boolean, note?: string): Outcome => {
  if (status < 300) return { status: 'succeeded', http_status: status, result: body, note }
  return sent && status >= 500
    ? { ...withoutResult('unknown'), http_status: status, result: body }
    : { status: 'failed', http_status: status, result: body, note }
}

const argumentsOf = (call: OpenCall): Arguments => call.effective_input ?? {}

const editNote = (call: OpenCall): string | undefined => call.edited
  ? `The user changed the arguments before running. Ran with: ${JSON.stringify(call.effective_input)}`
  : undefined

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

interface Made { tool: Tool, plan: MadePlan }

/** What the recheck before a write found. */
type Recheck =
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

const recheck = async (deps: Deps, state: RunState, call: OpenCall, tool: Tool): Promise<Recheck> => {
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

const send = (deps: Deps, state: RunState, call: OpenCall, tool: Tool, ifMatch?: string): Promise<Ended> =>
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

const afterFailover = (tool: Tool, { plan, requirement }: { plan: MadePlan, requirement: Requirement }): Changed =>
  ({ tool, plan, requirement, why: 'state_changed', mayHaveRun: true })

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
  return send(deps, state, call, tool, found.plan.ifMatch)
}

const operationKey = (state: RunState, tool: Tool, call: OpenCall) =>
  keyScope(state.principal, `${tool.operation} ${tool.bind(argumentsOf(call)).url}`, call.idempotency_key)

const storedAnswer = (stored: { status: number | null; body: string | null }): Answer | undefined => {
  if (stored.status === null) return undefined
  try {
    return { status: stored.status, body: JSON.parse(stored.body ?? 'null') }
  } catch {
    return { status: stored.status, body: stored.body }
  }
}

/**
 * Settles a write that an earlier holder of the run had claimed, by its idempotency row. Without a row it never
 * started, so it is sent now, with the same key. An answer in the row is its result. A row without an answer means that
 * it had started, and after a failover so may no row: the tool's own reconciliation decides, and without one it is
 * `unknown`. It is never sent blindly.
 */
export const recoverWrite = async (deps: Deps, state: RunState, call: OpenCall): Promise<Ended | Changed> => {
  const tool = deps.tools.find(call.name, state.key.workspace_id)
  const { limits } = deps.config
  if (!tool) return endCall(call, withoutResult('unknown'), limits)
  const scope = operationKey(state, tool, call)
  const stored = await findKey(deps.db, scope)
  const answer = stored && storedAnswer(stored)
  if (answer) return endCall(call, storedOutcome(answer, stored?.sent_at !== null, editNote(call)), limits)
  // Without a mark nothing was sent, and the process that held the key can send nothing any more.
  const mayHaveRun = stored
    ? !(stored.sent_at === null && await releaseUnsent(deps.db, scope))
    : await isBeforeFailover(deps.db, state.key.workspace_id, call.id)
  if (mayHaveRun) {
    const verdict = await tool.options
      ?.reconcile?.(argumentsOf(call), deps.tools.reader(state.principal))
      .catch(unclear)
    if (verdict === 'done') {
      return endCall(call, { status: 'succeeded', http_status: null, result: { reconciled: true } }, limits)
    }
    if (verdict !== 'not_done') return endCall(call, withoutResult('unknown'), limits)
    await releaseKey(deps.db, scope)
  }
  return resend(deps, state, call, tool)
}

/** Sends a write that was never sent, if the state is still the one that was shown. */
const resend = async (deps: Deps, state: RunState, call: OpenCall, tool: Tool): Promise<Ended | Changed> => {
  const found = await recheck(deps, state, call, tool)
  if (found.kind === 'refused') return endCall(call, found.outcome, deps.config.limits)
  if (found.kind === 'changed') return found.changed
  call.target = found.plan.target?.id ?? null
  if (!(await reclaimCall(deps.db, state.key, call.id, sentEntry(state, call, found)))) {
    if (await isBeforeFailover(deps.db, state.key.workspace_id, call.id)) return afterFailover(tool, found)
    throw new LostLease()
  }
  return send(deps, state, call, tool, found.plan.ifMatch)
}
