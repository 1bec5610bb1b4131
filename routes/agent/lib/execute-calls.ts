import { claimCall, reclaimCall } from '../../../db/agent/calls.js'
import { findCancelReason } from '../../../db/agent/runs.js'
import type { CallEnding } from '../../../db/agent/commit-run.js'
import { findKey, releaseKey } from '../../../db/idempotency.js'
import { findPerson } from '../../../db/account/principals.js'
import type { NewEvent } from '../../../plugins/channel.js'
import { keyScope } from '../../../plugins/idempotency-key.js'
import type { Arguments } from '../../../plugins/tool-options.js'
import type { Answer, Tool } from '../../../plugins/tools.js'
import { digestOf } from './digest.js'
import { endCall, withoutResult, type Outcome } from './results.js'
import { watchToolCall } from './tell.js'
import { within } from './within.js'
import { LostRun, type Deps, type OpenCall, type RunState } from './run-state.js'

export interface Ended {
  ending: CallEnding
  event: NewEvent
}

/** Answers after which nobody can say whether a write was done. */
const ambiguous = new Set([500, 502, 504])
const ambiguousCodes = new Set(['idempotency_in_progress', 'invocation_outcome_unknown', 'database_unavailable'])

const codeOf = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null ? (body as { code?: string }).code : undefined

const toOutcome = (call: OpenCall, answer: Answer, note?: string): Outcome => {
  const { status, body } = answer
  if (status < 300) return { status: 'succeeded', http_status: status, result: body, note }
  const unclear = call.effect === 'write' && (ambiguous.has(status) || ambiguousCodes.has(codeOf(body) ?? ''))
  return unclear
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
  const answer = await within(
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
  return endCall(call, toOutcome(call, answer), limits)
}

/** What was approved must still be what would run, by someone who still may. */
const objection = async (
  deps: Deps,
  state: RunState,
  call: OpenCall,
  tool: Tool | undefined
): Promise<Outcome | undefined> => {
  if (!tool || tool.version !== call.tool_version) {
    return {
      status: 'failed',
      http_status: null,
      result: { code: 'tool_registry_changed', detail: 'The tool changed while it waited' }
    }
  }
  const { workspace_id: workspaceId, user_id: userId } = state.key
  const person = await findPerson(deps.db, workspaceId, userId)
  if (!person || person.status !== 'active') {
    return {
      status: 'failed',
      http_status: null,
      result: { code: 'permission_revoked', detail: 'The person may not act any more' }
    }
  }
  state.principal = { ...state.principal, role: person.role }
  const digest = digestOf({ name: call.name, version: tool.version, args: argumentsOf(call), workspaceId, userId })
  if (digest !== call.input_digest) {
    return {
      status: 'failed',
      http_status: null,
      result: { code: 'approval_stale', detail: 'The arguments are not those approved' }
    }
  }
  return undefined
}

const send = (deps: Deps, state: RunState, call: OpenCall, tool: Tool): Promise<Ended> =>
  watchToolCall(deps, state, call, sendOnce(deps, state, call, tool))

const sendOnce = async (deps: Deps, state: RunState, call: OpenCall, tool: Tool): Promise<Ended> => {
  const { limits } = deps.config
  deps.crossing('call.before_send')
  const work = deps.tools.call(state.principal, tool, argumentsOf(call), call.idempotency_key)
  const answer = await within(work, limits.write_timeout_ms)
  deps.crossing('call.after_send')
  if (typeof answer === 'string') return endCall(call, withoutResult('unknown'), limits)
  return endCall(call, toOutcome(call, answer, editNote(call)), limits)
}

/** Executes an approved write: claimed first, in a commit of its own, so that it is sent at most once. */
export const executeWrite = async (
  deps: Deps,
  state: RunState,
  call: OpenCall,
  onClaimed: () => Promise<void>
): Promise<Ended> => {
  const tool = deps.tools.find(call.name)
  const refusal = await objection(deps, state, call, tool)
  if (refusal || !tool) return endCall(call, refusal ?? withoutResult('failed'), deps.config.limits)
  deps.crossing('call.before_claim')
  if (!(await claimCall(deps.db, state.key, call.id))) {
    // A stop that was asked for is seen here first, when nobody has told it to this process yet.
    state.cancelled ??= (await findCancelReason(deps.db, state.key)) ?? null
    if (state.cancelled !== null) return endCall(call, withoutResult('cancelled'), deps.config.limits)
    throw new LostRun()
  }
  deps.crossing('call.after_claim')
  await onClaimed()
  return send(deps, state, call, tool)
}

const operationKey = (state: RunState, tool: Tool, call: OpenCall) =>
  keyScope(state.principal, `${tool.name} ${tool.bind(argumentsOf(call)).url}`, call.idempotency_key)

const storedAnswer = (stored: { status: number | null; body: string | null }): Answer | undefined => {
  if (stored.status === null) return undefined
  try {
    return { status: stored.status, body: JSON.parse(stored.body ?? 'null') as unknown }
  } catch {
    return { status: stored.status, body: stored.body }
  }
}

/**
 * A write that an earlier holder of the run had claimed. Its idempotency row tells what became of it: no row, it
 * never started, so it is sent now, with the same key; an answer, that is its result; a row without an answer, it
 * had started: the tool's own reconciliation decides, and without one it is `unknown`. It is never sent blindly.
 */
export const recoverWrite = async (deps: Deps, state: RunState, call: OpenCall): Promise<Ended> => {
  const tool = deps.tools.find(call.name)
  const { limits } = deps.config
  if (!tool) return endCall(call, withoutResult('unknown'), limits)
  const scope = operationKey(state, tool, call)
  const stored = await findKey(deps.db, scope)
  const answer = stored && storedAnswer(stored)
  if (answer) return endCall(call, toOutcome(call, answer, editNote(call)), limits)
  if (stored) {
    const verdict = await tool.options
      ?.reconcile?.(argumentsOf(call), deps.tools.reader(state.principal))
      .catch(() => 'unclear' as const)
    if (verdict === 'done') {
      return endCall(call, { status: 'succeeded', http_status: null, result: { reconciled: true } }, limits)
    }
    if (verdict !== 'not_done') return endCall(call, withoutResult('unknown'), limits)
    await releaseKey(deps.db, scope)
  }
  if (!(await reclaimCall(deps.db, state.key, call.id))) throw new LostRun()
  return send(deps, state, call, tool)
}
