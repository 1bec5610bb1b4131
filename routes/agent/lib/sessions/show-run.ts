import { listCalls } from '../../../../db/agent/calls.js'
import { listRunConfirmations } from '../../../../db/agent/confirmations.js'
import { findRun, sumUsage } from '../../../../db/agent/runs.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { Run } from '../../../../schemas/agent/sessions.js'
import { RunNotFound } from '../errors.js'
import { toMoney } from '../run/finish.js'
import type { Deps } from '../run/run-state.js'

/** @throws run_not_found for a run that is not there or not the caller's */
export const showRun = async ({ db, llm }: Pick<Deps, 'db' | 'llm'>, principal: Principal, id: string):
Promise<Run> => {
  const { workspace_id, user_id } = principal
  const run = await findRun(db, workspace_id, user_id, id)
  if (!run) throw RunNotFound()
  const [usage, calls, confirmations] = await Promise.all([
    sumUsage(db, workspace_id, id), listCalls(db, workspace_id, id), listRunConfirmations(db, workspace_id, id)])
  const { cost_usd_micros, model, ...tokens } = usage
  // Before a model had to have a price, one without was counted as free.
  const isPriced = model === null || llm.of(principal.workspace_id).isPriced(model)
  return {
    id,
    session_id: run.session_id,
    status: run.status,
    reason: run.reason,
    step: run.step,
    // commitRun stores code and message.
    error: run.error as { code: string, message: string } | null,
    usage: { ...tokens, tool_calls: calls.length, cost: isPriced ? toMoney(cost_usd_micros) : null },
    pending_confirmations: confirmations.filter((item) => item.status === 'pending').map((item) => item.id),
    cancel_requested: run.cancel_requested_at !== null,
    created_at: run.created_at,
    finished_at: run.finished_at,
    stream_url: `/api/v1/agent/sessions/${run.session_id}/stream`
  }
}
