import { findPerson } from '../../../lib/account/people.js'
import { lockConfirmation, wakeRun } from '../../../db/agent/confirmations.js'
import { listPreferences } from '../../../db/agent/preferences.js'
import { findQuestion, replaceQuestion, saveDraft, type Question } from '../../../db/agent/questions.js'
import type { ShownPlan } from '../../../db/agent/tables.js'
import type { Principal } from '../../../lib/security/principal.js'
import type { Arguments } from '../../../lib/tools/options.js'
import type { Tool } from '../../../plugins/tools.js'
import { ApiError } from '../../../schemas/errors.js'
import { findForbidding } from './apply-preferences.js'
import { isSameJson } from './digest.js'
import {
  ArgumentsInvalid, ConfirmationClosed, ConfirmationNotFound, PlanRequired, PlanUnavailable, StateChanged
} from './errors.js'
import { assistantPrincipal } from './load-run.js'
import { makePlan, PlanFailed, type MadePlan } from './make-plan.js'
import { toQuestion } from './propose-call.js'
import type { Deps } from './run-state.js'

/** @returns the rights with which the question's run acts, as they are now */
const actorOf = async (deps: Deps, principal: Principal, question: Question): Promise<Principal> => {
  const { workspace_id: workspaceId, user_id: userId } = principal
  const person = await findPerson(deps.db, workspaceId, userId)
  if (!person) throw ConfirmationNotFound()
  // startRun stores the scopes of the run's principal.
  const { scopes } = question.principal as { scopes: string[] | null }
  return assistantPrincipal(person, workspaceId, question.run_id, scopes)
}

const retryAfterS = '5'

/** A target that is gone is another state; a source that does not answer says nothing of the state. */
const explain = (error: unknown): ApiError => {
  if (!(error instanceof ApiError)) {
    return PlanUnavailable('What it would do could not be read. Nothing was decided; try again').withHeaders({
      'retry-after': retryAfterS
    })
  }
  const { code, message: detail, statusCode: status, members } = error
  const cause = { code, status, detail, ...(members.errors ? { errors: members.errors } : {}) }
  if (status < 500 && status !== 429) {
    return StateChanged(`It cannot be done any more, and nothing was: ${detail}`, { cause, confirmation: null })
  }
  return PlanUnavailable(`Nothing was decided; try again. ${detail}`, { cause })
    .withHeaders({ 'retry-after': retryAfterS })
}

const planAgain = async (deps: Deps, actor: Principal, tool: Tool, args: Arguments): Promise<MadePlan> => {
  try {
    return await makePlan(deps, actor, tool, args)
  } catch (error) {
    if (error instanceof ApiError || error instanceof PlanFailed) throw explain(error)
    throw error
  }
}

/** @returns of a plan, or of a stored question, what a person is shown */
export const toShown = (plan: ShownPlan): ShownPlan => ({
  arguments: plan.arguments,
  target: plan.target,
  facts: plan.facts,
  summary: plan.summary,
  preview: plan.preview,
  risk: plan.risk,
  input_digest: plan.input_digest
})

const requireFit = (tool: Tool, question: Question, args: Arguments): void => {
  const before = question.arguments
  const changed = [...new Set([...Object.keys(before), ...Object.keys(args)])]
    .filter((name) => !isSameJson(before[name] ?? null, args[name] ?? null))
  const fixed = changed.filter((name) => !question.editable.includes(name))
    .map((name) => ({ pointer: `/arguments/${name}`, code: 'not_editable', message: 'may not be changed here' }))
  const unfit = tool.check(args).map((error) => ({ ...error, pointer: `/arguments${error.pointer}` }))
  const errors = [...fixed, ...unfit]
  if (errors.length > 0) throw ArgumentsInvalid(`${errors[0]?.pointer} ${errors[0]?.message}`, { errors })
}

const requireAllowed = async (deps: Deps, actor: Principal, tool: Tool, input: Arguments, plan: MadePlan) => {
  const preferences = await listPreferences(deps.db, actor.workspace_id, actor.user_id)
  const key = findForbidding(tool, input, plan, preferences)
  if (key === undefined) return
  const errors = [{ pointer: '/arguments', code: 'forbidden_by_preference', message: `are forbidden by ${key}` }]
  throw ArgumentsInvalid(`/arguments are forbidden by ${key}`, { errors })
}

const draftPlan = async (deps: Deps, actor: Principal, tool: Tool, question: Question, args: Arguments) => {
  requireFit(tool, question, args)
  const plan = await planAgain(deps, actor, tool, args)
  await requireAllowed(deps, actor, tool, args, plan)
  const draft = toShown(plan)
  await saveDraft(deps.db, actor.workspace_id, question.id, draft)
  return draft
}

const requireTool = (deps: Deps, question: Question): Tool => {
  const tool = deps.tools.find(question.name)
  if (!tool || question.kind !== 'tool') throw ConfirmationClosed('There is nothing to plan', { reason: question.kind })
  return tool
}

/**
 * Plans edited arguments, so that a person sees what they would do before approving them. Nothing is decided.
 * @throws confirmation_not_found, confirmation_closed, arguments_invalid, state_changed, plan_unavailable
 */
export const planEdit = async (deps: Deps, principal: Principal, id: string, args: Arguments): Promise<ShownPlan> => {
  const question = await findQuestion(deps.db, principal.workspace_id, principal.user_id, id)
  if (!question) throw ConfirmationNotFound()
  if (question.status !== 'pending' || question.expired) {
    throw ConfirmationClosed('It is not waiting any more', { reason: question.close_reason ?? question.status })
  }
  return draftPlan(deps, await actorOf(deps, principal, question), requireTool(deps, question), question, args)
}

/** Replaces the question, unless it was decided meanwhile. @returns the new question's id and the run to wake */
const replace = async (deps: Deps, actor: Principal, tool: Tool, question: Question, plan: MadePlan) => {
  const { workspace_id: workspaceId, user_id: userId } = actor
  const { session_id, run_id } = question
  const shown = { id: question.id, preview: question.preview }
  const call = { id: question.tool_call_id ?? '' }
  const next = await toQuestion(deps, { session_id, run_id, actor }, tool, call, plan, shown)
  const replaced = await deps.db.transaction().execute(async (trx) => {
    const locked = await lockConfirmation(trx, workspaceId, userId, session_id, question.id)
    if (locked?.confirmation.status !== 'pending' || locked.run.cancel_requested_at !== null) return false
    await replaceQuestion(trx, workspaceId, {
      old: question.id,
      question: { ...next, session_id, run_id, user_id: userId },
      tool_version: tool.version,
      announced: false
    })
    await wakeRun(trx, workspaceId, run_id)
    return true
  })
  return replaced ? next : undefined
}

/** The plan that an approval means: the question as it was asked, or the edit of it that was shown last. */
const shownPlan = async (deps: Deps, actor: Principal, tool: Tool, question: Question,
  { arguments: args, input_digest: digest }: { arguments?: Arguments, input_digest?: string }) => {
  const { draft } = question
  const isDraft = draft !== null && digest === draft.input_digest
  if (isDraft && (args === undefined || isSameJson(args, draft.arguments))) return draft
  if (args === undefined || isSameJson(args, question.arguments)) return question
  const plan = await draftPlan(deps, actor, tool, question, args)
  // The arguments of a draft may be pinned further than what was typed.
  if (digest !== undefined && digest === plan.input_digest && draft?.input_digest === digest) return plan
  throw PlanRequired('Approve it with the input_digest of this plan', { plan })
}

/**
 * Makes the plan again when a person approves, from the state as it is now.
 * @returns the plan that is approved, when it is an edit; undefined when it is the question itself
 * @throws state_changed with the question that replaces this one, plan_required with the plan of edited arguments,
 *   plan_unavailable, arguments_invalid
 */
export const recheckPlan = async (deps: Deps, principal: Principal, question: Question,
  body: { arguments?: Arguments, input_digest?: string }, onReplaced: (runId: string) => Promise<void>):
Promise<ShownPlan | undefined> => {
  const tool = deps.tools.find(question.name)
  // What became of the tool is found when the call is sent.
  if (!tool) return undefined
  const actor = await actorOf(deps, principal, question)
  const shown = await shownPlan(deps, actor, tool, question, body)
  const plan = await unlessDecided(deps, principal, question, planAgain(deps, actor, tool, shown.arguments))
  if (!plan) return undefined
  const isSame = plan.input_digest === shown.input_digest && !question.is_before_failover
  if (isSame) return shown.input_digest === question.input_digest ? undefined : shown
  const confirmation = await replace(deps, actor, tool, question, plan)
  // It was decided meanwhile, and that may have changed the state.
  if (!confirmation) return undefined
  await onReplaced(question.run_id)
  throw StateChanged('Nothing was done. It is asked again on the state as it is now', { confirmation })
}

/** @returns undefined instead of an error when the question was decided meanwhile: what is done cannot be planned */
const unlessDecided = async <T>(deps: Deps, { workspace_id: workspaceId, user_id: userId }: Principal,
  { id }: Question, work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work
  } catch (error) {
    const now = await findQuestion(deps.db, workspaceId, userId, id)
    if (now?.status !== 'pending') return undefined
    throw error
  }
}
