import { listCalls, type CallRecord } from '../../../../db/agent/calls.js'
import type { ConfirmationRow } from '../../../../db/agent/commit-run.js'
import { listRunConfirmations } from '../../../../db/agent/confirmations.js'
import { listPreferences } from '../../../../db/agent/preferences.js'
import { findQuestion, type Question } from '../../../../db/agent/questions.js'
import { mayPropose } from '../../../../lib/access/require-access.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { depends } from '../../../../lib/tools/changes.js'
import { digestOf } from '../../../../lib/tools/digest.js'
import type { MadePlan } from '../../../../lib/tools/make-plan.js'
import type { Tool } from '../../../../lib/tools/tool.js'
import { type Requirement, ordinaryRequirement } from '../../../../schemas/agent/requirements.js'
import { ApiError } from '../../../../schemas/errors.js'
import { ConfirmationClosed, StepsNotFound } from '../errors.js'
import type { Deps } from '../run/run-state.js'
import { findForbidding } from './apply-preferences.js'
import { changedArguments, judgePlan, requirementOf, stricterRequirement } from './judge-plan.js'
import { toQuestion } from './propose-call.js'
import { actorOf, planAgain } from './recheck-plan.js'

/** Groups that count for one step do not count for another that names its own. */
const groupsFor = (own: Requirement, all: readonly Requirement[]): Pick<Requirement, 'groups' | 'escalate' | 'each'> => {
  const named = own.groups.length > 0 ? own : all.find(({ groups }) => groups.length > 0) ?? own
  return { groups: named.groups, escalate: named.escalate, ...(named.each && { each: named.each }) }
}

/** @returns the steps, each with what the strictest of them needs: they are decided together */
const requireForAll = <T extends { requirement: Requirement }>(steps: readonly T[]): T[] => {
  const all = steps.map(({ requirement }) => requirement)
  const approvals = Math.max(...all.map((one) => one.approvals))
  const exclude_requester = all.some((one) => one.exclude_requester)
  const signed = all.some((one) => one.signed) && { signed: true }
  return steps.map((step) => {
    const { requirement } = step
    const groups = groupsFor(requirement, all)
    return { ...step, requirement: { ...requirement, ...groups, approvals, exclude_requester, ...signed } }
  })
}

/** A write of a turn that waits, with its newest question; one that waits for the writes before it has none. */
export interface Waiting { call: CallRecord, question: Question | undefined }

/** A step as it is planned now. */
export interface Step extends Waiting {
  tool: Tool
  plan: MadePlan
  /** What is asked: the question as it stands, or the one that takes its place. */
  asked: Question | ConfirmationRow
  requirement: Requirement
  forbidden: string | null
}

export interface Steps { actor: Principal, steps: Step[], input_digest: string }

const isOpen = ({ effect, status, result_model: end }: CallRecord) =>
  effect === 'write' && status === 'awaiting' && end === null

/** @returns the edit of the question that is planned in its place; undefined where there is none */
export const editOf = ({ draft, arguments: asked }: Question): Question['draft'] | undefined =>
  draft && changedArguments(asked, draft.arguments).length > 0 ? draft : undefined

/** @returns who has changed what is planned, beside the person who asked */
export const authorsOf = (question: Question): string[] => {
  const by = editOf(question)?.by
  const before = question.authors ?? []
  return by === undefined || by === question.user_id || before.includes(by) ? before : [...before, by]
}

/** @returns the writes of the question's turn that wait, in the order in which they will run */
export const listWaiting = async ({ db }: Pick<Deps, 'db'>, workspaceId: string,
  { run_id: runId, tool_call_id: callId }: Pick<Question, 'run_id' | 'tool_call_id'>): Promise<Waiting[]> => {
  const [calls, questions] =
    await Promise.all([listCalls(db, workspaceId, runId), listRunConfirmations(db, workspaceId, runId)])
  const turn = calls.find(({ id }) => id === callId)?.step
  return Promise.all(calls.filter((call) => call.step === turn && isOpen(call)).map(async (call) => {
    const newest = questions.findLast(({ tool_call_id: id }) => id === call.id)
    return { call, question: newest && await findQuestion(db, workspaceId, newest.id) }
  }))
}

/** Plans a step on what the steps before it leave. @returns undefined for one that has to wait until they have ended */
const planStep = async (deps: Deps, actor: Principal, tool: Tool, { call, question }: Waiting,
  before: readonly Step[]): Promise<MadePlan | undefined> => {
  const args = question?.draft?.arguments ?? question?.arguments ?? call.effective_input ?? {}
  const left = before.flatMap(({ plan }) => plan.left ?? [])
  try {
    const plan = await planAgain(deps, actor, tool, args, left)
    const isUnforeseen = before.some((step) => !step.plan.left && depends(step.plan.target, plan.target))
    return isUnforeseen || plan.effect === 'read' ? undefined : plan
  } catch (error) {
    if (question || !(error instanceof ApiError)) throw error
    return undefined
  }
}

const whyForbidden = async ({ db }: Deps, actor: Principal, tool: Tool, plan: MadePlan): Promise<string | null> => {
  if (!mayPropose(actor, plan.target)) return 'The person who asked may not change this'
  const preferences = await listPreferences(db, actor.workspace_id, actor.user_id)
  const key = findForbidding(tool, plan.arguments, plan, preferences)
  return key === undefined ? null : `The person's preference ${key} forbids this`
}

/** What the rules of workspace and person say of one step. What may run unasked is approved with the rest. */
const judgeStep = async (deps: Deps, actor: Principal, tool: Tool, plan: MadePlan, owner: Question,
  question: Question | undefined): Promise<Pick<Step, 'requirement' | 'forbidden'>> => {
  const { session_id, run_id } = owner
  const verdict = await judgePlan(deps, { actor, session_id, run_id }, tool, plan)
  const judged = verdict.kind === 'ask' ? verdict.requirement : ordinaryRequirement
  const forbidden = verdict.kind === 'forbid' ? verdict.reason : await whyForbidden(deps, actor, tool, plan)
  return { requirement: question ? stricterRequirement(requirementOf(question), judged) : judged, forbidden }
}

const makeStep = async (deps: Deps, actor: Principal, owner: Question, waiting: Waiting, before: readonly Step[]):
Promise<Step | undefined> => {
  const { call, question } = waiting
  const tool = deps.tools.find(call.name, actor.workspace_id)
  if (question?.is_before_failover) {
    throw ConfirmationClosed('It was asked before a failover: decide each step by itself', { reason: 'failover' })
  }
  const plan = tool && await planStep(deps, actor, tool, waiting, before)
  if (!tool || !plan) return undefined
  const judged = await judgeStep(deps, actor, tool, plan, owner, question)
  const { session_id, run_id } = owner
  const asked = question?.input_digest === plan.input_digest
    ? question
    : await toQuestion(deps, { session_id, run_id, actor }, tool, call, plan, judged.requirement, question)
  return { ...waiting, tool, plan, asked, ...judged }
}

const waits = ({ status, expired }: Question) => status === 'pending' && !expired

/**
 * Plans the writes of the question's turn that wait as steps, each on the state that the ones before it will leave. It
 * ends before a step whose state cannot be foreseen: that one is asked when the others have ended.
 * @throws steps_not_found where no others wait, confirmation_closed, state_changed, plan_unavailable
 */
export const planSteps = async (deps: Deps, workspaceId: string, question: Question): Promise<Steps> => {
  if (question.kind !== 'tool') throw StepsNotFound()
  if (!waits(question)) {
    throw ConfirmationClosed('It is not waiting any more', { reason: question.close_reason ?? question.status })
  }
  const waiting = await listWaiting(deps, workspaceId, question)
  await deps.tools.prepare(workspaceId, waiting.map(({ call }) => call.name))
  const actor = await actorOf(deps, workspaceId, question)
  const steps: Step[] = []
  for (const one of waiting.filter((item) => !item.question || waits(item.question))) {
    const step = await makeStep(deps, actor, question, one, steps)
    if (!step) break
    steps.push(step)
  }
  const isOneOfThem = steps.some((step) => step.question?.id === question.id)
  if (!isOneOfThem || (steps.length < 2 && question.steps === null)) throw StepsNotFound()
  const bound = steps.map(({ call, plan }) => ({ call: call.id, plan: plan.input_digest }))
  return { actor, steps: requireForAll(steps), input_digest: digestOf({ steps: bound }) }
}
