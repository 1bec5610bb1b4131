import { isBeforeFailover, reclaimCall } from '../../../../db/agent/calls.js'
import { findKey, releaseKey, releaseUnsent } from '../../../../db/idempotency.js'
import { LostLease } from '../../../../lib/durable/errors.js'
import { keyScope } from '../../../../lib/http/idempotency-key.js'
import type { Tool } from '../../../../lib/tools/tool.js'
import type { Answer } from '../../../../plugins/tools.js'
import { argumentsOf, editNote, storedOutcome } from './answer-outcome.js'
import { sentEntry } from '../run/entries.js'
import { unclear } from '../plans/propose-call.js'
import { afterFailover, recheck, settleSent, type Changed } from './recheck-call.js'
import { endCall, withoutResult, type Ended } from '../run/results.js'
import type { Deps, OpenCall, RunState } from '../run/run-state.js'
import { send } from './send-call.js'

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
  return settleSent(deps, state, call, tool, await send(deps, state, call, tool, found.plan))
}
