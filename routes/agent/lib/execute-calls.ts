import { claimCall, isBeforeFailover, reclaimCall } from '../../../db/agent/calls.js'
import { findCancelReason } from '../../../db/agent/runs.js'
import type { CallEnding } from '../../../db/agent/commit-run.js'
import { Effects, outcomeOf, recordEffects } from '../../../db/effects.js'
import { findKey, releaseKey, releaseUnsent } from '../../../db/idempotency.js'
import { findPerson } from '../../../lib/account/people.js'
import type { NewChatEvent } from '../../../schemas/agent/events.js'
import { keyScope } from '../../../lib/http/idempotency-key.js'
import type { Arguments } from '../../../lib/tools/options.js'
import type { Answer, Tool } from '../../../plugins/tools.js'
import { failedPlan, unclear } from './propose-call.js'
import { listPreferences } from '../../../db/agent/preferences.js'
import { ApiError } from '../../../schemas/errors.js'
import { LostLease } from '../../../lib/durable/errors.js'
import { findForbidding } from './apply-preferences.js'
import { makePlan, PlanFailed, type MadePlan } from './make-plan.js'
import { endCall, failure, withoutResult, type Outcome } from './results.js'
import { watchToolCall } from './record.js'
import { withTimeout } from './with-timeout.js'
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

const read = async (deps: Deps, state: RunState, call: OpenCall): Promise<Ended> => {
  const tool = deps.tools.find(call.name)
  const { limits } = deps.config
  if (!tool) return endCall(call, withoutResult('failed', 'The tool is gone'), limits)
  const answer = await withTimeout(
    deps.tools.call(state.principal, tool, argumentsOf(call)),
    limits.read_timeout_ms,
    state.abort.signal
  )
  if (answer === 'timeout') return endCall(call, withoutResult('timed_out'), limits)
  if (answer === 'aborted') {
    // A shutdown or a lost lease: whoever has the run next reads again.
    if (state.cancelled === null) throw state.abort.signal.reason
    return endCall(call, withoutResult('cancelled'), limits)
  }
  return endCall(call, toOutcome(answer, new Effects()), limits)
}

/** @returns why the call may not run any more; undefined when its person still may run it */
const whyNotRun = async (deps: Deps, state: RunState, call: OpenCall, tool: Tool | undefined):
Promise<Outcome | undefined> => {
  if (!tool || tool.version !== call.tool_version) {
    return failure('tool_registry_changed', 'The tool changed while it waited')
  }
  const { workspace_id: workspaceId, user_id: userId } = state.key
  const person = await findPerson(deps.db, workspaceId, userId)
  if (person?.status !== 'active') return failure('permission_revoked', 'The person may not act any more')
  state.principal = { ...state.principal, role: person.role }
  return undefined
}

/** What the recheck before a write found. */
type Recheck =
  | { kind: 'same', plan: MadePlan }
  | { kind: 'changed', plan: MadePlan }
  | { kind: 'refused', outcome: Outcome }

const notRun = 'It was approved, but it did not run, because its target could not be read first.'

const recheck = async (deps: Deps, state: RunState, call: OpenCall, tool: Tool): Promise<Recheck> => {
  const { workspace_id: workspaceId, user_id: userId } = state.key
  const args = argumentsOf(call)
  try {
    const plan = await makePlan(deps, state.principal, tool, args)
    const key = findForbidding(tool, args, plan, await listPreferences(deps.db, workspaceId, userId))
    if (key !== undefined) {
      const outcome = failure('forbidden_by_preference', `The person's preference ${key} forbids this`)
      return { kind: 'refused', outcome: { ...outcome, status: 'denied' } }
    }
    return { kind: plan.input_digest === call.input_digest ? 'same' : 'changed', plan }
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
  const work = recordEffects(effects, () => deps.tools.call(state.principal, tool, argumentsOf(call), conditions))
  const answer = await withTimeout(work, limits.write_timeout_ms)
  deps.failpoint('call.after_send')
  if (typeof answer !== 'string') return endCall(call, toOutcome(answer, effects, editNote(call)), limits)
  // What has not passed the point of no return by now never will.
  effects.abandon()
  return endCall(call, outcomeOf(effects, undefined) === 'unknown'
    ? withoutResult('unknown')
    : withoutResult('failed', 'It took too long before anything was sent. Nothing was done.'), limits)
}

/** The state is not the one that was shown: the person is asked again. */
export interface Changed {
  tool: Tool
  plan: MadePlan
}

/**
 * Executes an approved write. It is planned once more, and runs only on the state that was shown; then it is claimed,
 * in a commit of its own, so that it is sent at most once.
 */
export const executeWrite = async (
  deps: Deps,
  state: RunState,
  call: OpenCall,
  onClaimed: () => Promise<void>
): Promise<Ended | Changed> => {
  const tool = deps.tools.find(call.name)
  const reason = await whyNotRun(deps, state, call, tool)
  if (reason || !tool) return endCall(call, reason ?? withoutResult('failed'), deps.config.limits)
  deps.failpoint('call.before_plan')
  const found = await recheck(deps, state, call, tool)
  if (found.kind === 'refused') return endCall(call, found.outcome, deps.config.limits)
  if (found.kind === 'changed') return { tool, plan: found.plan }
  deps.failpoint('call.before_claim')
  if (!(await claimCall(deps.db, state.key, call.id))) {
    if (await isBeforeFailover(deps.db, state.key.workspace_id, call.id)) return { tool, plan: found.plan }
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
  keyScope(state.principal, `${tool.name} ${tool.bind(argumentsOf(call)).url}`, call.idempotency_key)

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
  const tool = deps.tools.find(call.name)
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
  if (found.kind === 'changed') return { tool, plan: found.plan }
  if (!(await reclaimCall(deps.db, state.key, call.id))) {
    if (await isBeforeFailover(deps.db, state.key.workspace_id, call.id)) return { tool, plan: found.plan }
    throw new LostLease()
  }
  return send(deps, state, call, tool, found.plan.ifMatch)
}
