import { findStepsOfCall, listSteps, type StepRow } from '../../../../db/agent/steps.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { StepProgress, StepsProgress } from '../../../../schemas/agent/steps.js'
import type { Question } from '../../../../db/agent/questions.js'
import { ConfirmationNotFound, StepsNotFound } from '../errors.js'
import type { Deps } from '../run/run-state.js'
import { isVisible, readDeciding } from './standing.js'

const toProgress = (row: StepRow, index: number): StepProgress => ({
  step: row.steps?.step ?? index + 1,
  // A step is a question about a call.
  tool_call_id: row.tool_call_id ?? '',
  confirmation_id: row.id,
  name: row.name,
  summary: row.summary,
  risk: row.risk,
  status: row.call_status,
  has_ended: row.finished_at !== null,
  stopped: row.close_reason === 'step_stopped' ? row.reason : null
})

/** What became of the plan as a whole: the worst that became of a step. */
const statusOf = (rows: readonly StepRow[]): StepsProgress['status'] => {
  const every = (status: string) => rows.every((row) => row.call_status === status)
  if (rows.some(({ status }) => status === 'pending')) return 'pending'
  if (rows.some(({ finished_at: end }) => end === null)) return 'running'
  if (rows.some(({ call_status: status }) => status === 'unknown')) return 'unknown'
  if (every('succeeded')) return 'succeeded'
  return every('rejected') ? 'rejected' : 'stopped'
}

/**
 * @returns how far the plan of steps has come with which the question's call was last decided
 * @throws steps_not_found where it was decided by itself; confirmation_not_found where the reader may not see a step
 */
export const showProgress = async ({ db }: Pick<Deps, 'db'>, principal: Principal, question: Question):
Promise<StepsProgress> => {
  const { workspace_id: workspaceId } = principal
  const { session_id, run_id, tool_call_id: callId } = question
  const group = callId === null ? undefined : await findStepsOfCall(db, workspaceId, callId)
  if (!group) throw StepsNotFound()
  const rows = await listSteps(db, workspaceId, run_id, group.id)
  const deciding = await readDeciding(db, principal, rows)
  if (rows.length === 0 || !rows.every((row) => isVisible(row, principal, deciding))) throw ConfirmationNotFound()
  return { session_id, run_id, status: statusOf(rows), steps: rows.map(toProgress) }
}
