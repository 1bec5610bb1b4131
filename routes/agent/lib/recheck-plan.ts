import { findPerson } from '../../../lib/account/people.js'
import { decideCall, lockConfirmation, wakeRun } from '../../../db/agent/confirmations.js'
import { listPreferences } from '../../../db/agent/preferences.js'
import { insertAudit, type AuditEntry } from '../../../db/audit.js'
import {
  closeQuestion, findQuestion, replaceQuestion, saveDraft, type Question, type Replacement
} from '../../../db/agent/questions.js'
import type { ShownPlan } from '../../../db/agent/tables.js'
import type { Principal } from '../../../lib/security/principal.js'
import type { Arguments } from '../../../lib/tools/options.js'
import type { Left } from '../../../lib/tools/read-after.js'
import type { Tool } from '../../../lib/tools/tool.js'
import { ApiError } from '../../../schemas/errors.js'
import { findForbidding } from './apply-preferences.js'
import { isSameJson } from '../../../lib/tools/digest.js'
import {
  ArgumentsInvalid, ConfirmationClosed, ConfirmationNotFound, PlanRequired, PlanUnavailable, StateChanged
} from './errors.js'
import { askedBeside } from './entries.js'
import { assistantPrincipal } from './load-run.js'
import { makePlan, PlanFailed, type MadePlan } from '../../../lib/tools/make-plan.js'
import { judgePlan } from './judge-plan.js'
import { toQuestion } from './propose-call.js'
import type { Deps } from './run-state.js'
import { requirementOf, stricterRequirement } from './stricter-requirement.js'
import type { Requirement } from '../../../schemas/agent/requirements.js'

/** Called with the run whose question was replaced or closed, for the run to go on. */
export type OnReplaced = (runId: string) => Promise<void>

/** @returns the rights with which the question's run acts, as they are now: those of the person who asked */
export const actorOf = async (deps: Deps, workspaceId: string, question: Question): Promise<Principal> => {
  const person = await findPerson(deps.db, workspaceId, question.user_id)
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
    const shown = { cause, confirmation: null }
    // A conflict, as with a deployment that is under way, may pass.
    return status === 409
      ? StateChanged(`It cannot be done now, and nothing was: ${detail}`, shown)
      : StateChanged(`It cannot be done any more, and nothing was: ${detail}`, shown)
  }
  return PlanUnavailable(`Nothing was decided; try again. ${detail}`, { cause })
    .withHeaders({ 'retry-after': retryAfterS })
}

export const planAgain = async (deps: Deps, actor: Principal, tool: Tool, args: Arguments,
  after: readonly Left[] = []): Promise<MadePlan> => {
  try {
    return await makePlan(deps, actor, tool, args, undefined, after)
  } catch (error) {
    if (error instanceof ApiError || error instanceof PlanFailed) throw explain(error)
    throw error
  }
}

/** @returns of a plan, or of a stored question, what a person is shown */
export const toShown = (plan: ShownPlan): ShownPlan & Required<Pick<ShownPlan, 'risk_reasons'>> => ({
  arguments: plan.arguments,
  target: plan.target,
  facts: plan.facts,
  summary: plan.summary,
  preview: plan.preview,
  risk: plan.risk,
  // A draft of the release before has none.
  risk_reasons: plan.risk_reasons ?? [],
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

const requireTool = async (deps: Deps, { workspace_id: workspaceId }: Principal, question: Question): Promise<Tool> => {
  await deps.tools.prepare(workspaceId, [question.name])
  const tool = deps.tools.find(question.name, workspaceId)
  if (!tool || question.kind !== 'tool') throw ConfirmationClosed('There is nothing to plan', { reason: question.kind })
  return tool
}

/**
 * Plans edited arguments, so that a person sees what they would do before approving them. Nothing is decided.
 * @throws confirmation_closed, arguments_invalid, state_changed, plan_unavailable
 */
export const planEdit = async (deps: Deps, principal: Principal, question: Question, args: Arguments):
Promise<ShownPlan> => {
  if (question.status !== 'pending' || question.expired) {
    throw ConfirmationClosed('It is not waiting any more', { reason: question.close_reason ?? question.status })
  }
  const tool = await requireTool(deps, principal, question)
  return draftPlan(deps, await actorOf(deps, principal.workspace_id, question), tool, question, args)
}

/** @returns what has to be approved now: the question's own requirement, or a stricter one. @throws as `forbid` */
const judge = async (deps: Deps, actor: Principal, tool: Tool, question: Question, plan: MadePlan,
  onReplaced: OnReplaced): Promise<Requirement> => {
  const { session_id, run_id } = question
  const verdict = await judgePlan(deps, { actor, session_id, run_id }, tool, plan)
  if (verdict.kind === 'forbid') return forbid(deps, actor.workspace_id, question, verdict.reason, onReplaced)
  const stored = requirementOf(question)
  // What would run unasked by now was asked: it needs what it needed.
  return verdict.kind === 'run' ? stored : stricterRequirement(stored, verdict.requirement)
}

/** Closes a question that the rules forbid by now. @throws confirmation_closed */
const forbid = async (deps: Deps, workspaceId: string, question: Question, why: string, onReplaced: OnReplaced):
Promise<never> => {
  const reason = 'forbidden_by_policy'
  const isClosed = await deps.db.transaction().execute(async (trx) => {
    const locked = await lockConfirmation(trx, workspaceId, question.session_id, question.id)
    if (locked?.confirmation.status !== 'pending') return false
    await closeQuestion(trx, workspaceId, question.id, reason, why)
    const change = { status: 'rejected' as const, decided_by: 'policy' }
    await decideCall(trx, workspaceId, question.tool_call_id ?? '', change)
    await wakeRun(trx, workspaceId, question.run_id)
    return true
  })
  if (isClosed) await onReplaced(question.run_id)
  throw ConfirmationClosed(why, { reason })
}

/** Replaces the question, unless it was decided meanwhile. @returns the new question and the run to wake */
const replace = async (deps: Deps, actor: Principal, tool: Tool, question: Question, plan: MadePlan,
  requirement: Requirement) => {
  const { workspace_id: workspaceId, user_id: userId } = actor
  const { session_id, run_id } = question
  const call = { id: question.tool_call_id ?? '' }
  const next = await toQuestion(deps, { session_id, run_id, actor }, tool, call, plan, requirement, question)
  const replaced = await deps.db.transaction().execute(async (trx) => {
    const locked = await lockConfirmation(trx, workspaceId, session_id, question.id)
    if (locked?.confirmation.status !== 'pending' || locked.run.cancel_requested_at !== null) return false
    await replaceQuestion(trx, workspaceId, {
      old: question.id,
      why: 'state_changed',
      question: { ...next, session_id, run_id, user_id: userId },
      tool_version: tool.version,
      announced: false
    })
    await insertAudit(trx, askedBeside(next, actor, { session_id, run_id }, question.principal))
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

/** What an approval found when it made the plan again. */
export interface Rechecked {
  /** Who has to approve it now. */
  requirement: Requirement
  /** The plan that is approved, when it is an edit. */
  edited?: ShownPlan
  /** The question that asks others to approve the edit, too, and its entry in the record. */
  next?: Replacement
  asked?: AuditEntry
}

/** An edit is another plan: whoever else has to approve is asked about it. */
const toEdited = async (deps: Deps, actor: Principal, tool: Tool, question: Question, plan: MadePlan,
  requirement: Requirement): Promise<Rechecked> => {
  const { session_id, run_id, user_id } = question
  const call = { id: question.tool_call_id ?? '' }
  const next = await toQuestion(deps, { session_id, run_id, actor }, tool, call, plan, requirement, question)
  return {
    requirement,
    edited: toShown(plan),
    asked: askedBeside(next, actor, { session_id, run_id }, question.principal),
    next: {
      old: question.id,
      why: 'edited',
      question: { ...next, session_id, run_id, user_id },
      proposed: question.proposed ?? toShown(question),
      tool_version: tool.version,
      announced: false
    }
  }
}

/**
 * Makes the plan again when a person approves, from the state as it is now, and judges it again.
 * @throws state_changed with the question that replaces this one, plan_required with the plan of edited arguments,
 *   confirmation_closed when the rules forbid it by now, plan_unavailable, arguments_invalid
 */
export const recheckPlan = async (deps: Deps, { workspace_id: workspaceId }: Principal, question: Question,
  body: { arguments?: Arguments, input_digest?: string }, onReplaced: OnReplaced): Promise<Rechecked> => {
  const asStored = { requirement: requirementOf(question) }
  await deps.tools.prepare(workspaceId, [question.name])
  const tool = deps.tools.find(question.name, workspaceId)
  // What became of the tool is found when the call is sent.
  if (!tool) return asStored
  const actor = await actorOf(deps, workspaceId, question)
  const shown = await shownPlan(deps, actor, tool, question, body)
  const plan = await unlessDecided(deps, workspaceId, question, planAgain(deps, actor, tool, shown.arguments))
  if (!plan) return asStored
  const requirement = await judge(deps, actor, tool, question, plan, onReplaced)
  if (plan.input_digest === shown.input_digest && !question.is_before_failover) {
    const isEdit = shown.input_digest !== question.input_digest
    return isEdit ? toEdited(deps, actor, tool, question, plan, requirement) : { requirement }
  }
  const confirmation = await replace(deps, actor, tool, question, plan, requirement)
  // It was decided meanwhile, and that may have changed the state.
  if (!confirmation) return asStored
  await onReplaced(question.run_id)
  throw StateChanged('Nothing was done. It is asked again on the state as it is now', { confirmation })
}

/** @returns undefined instead of an error when the question was decided meanwhile: what is done cannot be planned */
const unlessDecided = async <T>(deps: Deps, workspaceId: string, { id }: Question, work: Promise<T>):
Promise<T | undefined> => {
  try {
    return await work
  } catch (error) {
    const now = await findQuestion(deps.db, workspaceId, id)
    if (now?.status !== 'pending') return undefined
    throw error
  }
}
