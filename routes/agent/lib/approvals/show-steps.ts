import type { Question } from '../../../../db/agent/questions.js'
import { findStepsOfCall, listSteps, type StepRow } from '../../../../db/agent/votes.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { riskiest } from '../../../../lib/tools/risk.js'
import type {
  PlanOfSteps, StepProgress, StepsProgress, DecidedSteps, DecideSteps
} from '../../../../schemas/agent/steps.js'
import { ConfirmationNotFound, StepsNotFound } from '../errors.js'
import { authorsOf, type Steps, type Step } from '../plans/plan-steps.js'
import type { Deps } from '../run/run-state.js'
import { statusOf, type Decided } from './settle-question.js'
import { eligibleAs, isVisible, readDeciding, readStandings, type Question as Voted } from './standing.js'

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
const progressStatus = (rows: readonly StepRow[]): StepsProgress['status'] => {
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
  return { session_id, run_id, status: progressStatus(rows), steps: rows.map(toProgress) }
}

/** @returns the decision of a plan of steps as clients read it */
export const toDecidedSteps = (decided: readonly Decided[], { approved }: DecideSteps): DecidedSteps => {
  const [first] = decided
  if (!first) throw ConfirmationNotFound()
  const { session_id, run_id } = first
  const stream_url = `/api/v1/agent/sessions/${session_id}/stream`
  return {
    session_id,
    run_id,
    status: decided.some(({ status }) => status === 'pending') ? 'pending' : statusOf(approved),
    missing: Math.max(...decided.map(({ missing }) => missing)),
    already_decided: decided.every((item) => item.already_decided),
    items: decided.map(({ woken: _, waited_ms: __, ...item }) => ({ ...item, stream_url })),
    stream_url
  }
}

/** A step as a question in which people vote: under what all of them need, and with the plan as it is now. */
export const votedOn = ({ asked, plan, requirement, question }: Step, { user_id }: Question): Voted => ({
  id: asked.id,
  kind: 'tool',
  user_id,
  target: plan.target,
  risk: plan.risk,
  requirement,
  escalated: 'escalated' in asked ? asked.escalated : false,
  input_digest: plan.input_digest,
  status: 'pending',
  decided_by: null,
  decided_at: null,
  reason: null,
  authors: question ? authorsOf(question) : null
})

/** Whoever may not see one of the steps sees none. @throws confirmation_not_found */
export const requireAllVisible = async ({ db }: Pick<Deps, 'db'>, principal: Principal, question: Question,
  questions: readonly Voted[]): Promise<void> => {
  if (question.user_id === principal.user_id) return
  const deciding = await readDeciding(db, principal, questions)
  if (!questions.every((one) => isVisible(one, principal, deciding))) throw ConfirmationNotFound()
}

const showStep = (step: Step, index: number) => {
  const { call, question, tool, plan, asked, requirement, forbidden } = step
  const { arguments: args, summary, risk, risk_reasons, target, facts, input_digest } = plan
  return {
    step: index + 1,
    tool_call_id: call.id,
    confirmation_id: question?.id ?? null,
    name: tool.name,
    arguments: args,
    summary,
    // With what a question adds to its plan, such as that it was sent before.
    preview: asked.preview,
    risk,
    risk_reasons,
    target,
    facts,
    input_digest,
    undo: plan.undo,
    forbidden,
    requirement
  }
}

/** Whether the votes that were given are for the plan as it is now. */
export const isSameGroup = ({ steps, input_digest: digest }: Steps): boolean => {
  const id = steps[0]?.question?.steps?.id
  return id !== undefined && steps.every(({ question }) =>
    question?.steps?.id === id && question.steps.input_digest === digest)
}

/** @returns the plan as one person sees it. @throws confirmation_not_found */
export const showSteps = async (deps: Pick<Deps, 'db'>, principal: Principal, question: Question, made: Steps):
Promise<PlanOfSteps> => {
  const { steps, input_digest } = made
  const questions = steps.map((step) => votedOn(step, question))
  await requireAllVisible(deps, principal, question, questions)
  // Votes on another plan of steps end with the next approval.
  const kept = isSameGroup(made) ? steps : steps.filter(({ question: own }) => own?.steps === null)
  const own = questions.filter(({ id }) => kept.some(({ asked }) => asked.id === id))
  const standings = await readStandings(deps.db, principal.workspace_id, own)
  const deciding = await readDeciding(deps.db, principal, questions)
  const missing = questions.map(({ id, requirement }) => standings.get(id)?.missing ?? requirement?.approvals ?? 1)
  const mayApprove = questions.some((one) => {
    const counted = standings.get(one.id)?.counted ?? []
    return !counted.some(({ user_id: id }) => id === principal.user_id) && eligibleAs(one, deciding)
      .some(({ person }) => !counted.some(({ for_user_id: id }) => id === person.id))
  })
  return {
    session_id: question.session_id,
    run_id: question.run_id,
    input_digest,
    risk: riskiest(steps.map(({ plan }) => plan.risk)),
    missing: Math.max(...missing),
    may_approve: mayApprove && steps.every(({ forbidden }) => forbidden === null),
    steps: steps.map(showStep)
  }
}
