import { findPerson, listNames } from '../../../../lib/account/people.js'
import { decideCall, lockConfirmation } from '../../../../db/agent/confirmations.js'
import { listPreferences } from '../../../../db/agent/preferences.js'
import { insertAudit, type AuditEntry } from '../../../../db/audit.js'
import {
  closeQuestion, findQuestion, replaceQuestion, saveDraft, type Question, type Replacement
} from '../../../../db/agent/questions.js'
import type { Draft, ShownPlan } from '../../../../db/agent/tables.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { Arguments } from '../../../../lib/tools/options.js'
import type { Left } from '../../../../lib/tools/changes.js'
import type { Tool } from '../../../../lib/tools/tool.js'
import { ApiError, ForbiddenByPolicy, Unchanged } from '../../../../schemas/errors.js'
import { findForbidding } from './apply-preferences.js'
import { changedArguments, judgePlan, requirementOf, stricterRequirement } from './judge-plan.js'
import { isSameJson } from '../../../../lib/tools/digest.js'
import {
  ArgumentsInvalid, ConfirmationClosed, ConfirmationNotFound, PlanRequired, PlanUnavailable, StateChanged
} from '../errors.js'
import { askedBeside } from '../run/entries.js'
import { assistantPrincipal } from '../run/load-run.js'
import { makePlan, PlanFailed, type MadePlan } from '../../../../lib/tools/make-plan.js'
import { toQuestion } from './propose-call.js'
import { wakeWaiting } from '../run/park-run.js'
import type { Deps } from '../run/run-state.js'
import type { ConfirmationPlan } from '../../../../schemas/agent/confirmations.js'
import type { Requirement } from '../../../../schemas/agent/requirements.js'

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

/** The person's own arguments would change nothing: that is the answer, and the question stays as it was. */
const planEdited = async (deps: Deps, actor: Principal, tool: Tool, args: Arguments): Promise<MadePlan> => {
  try {
    return await makePlan(deps, actor, tool, args)
  } catch (error) {
    if (error instanceof ApiError && error.code === Unchanged.code) throw error
    throw error instanceof ApiError || error instanceof PlanFailed ? explain(error) : error
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

/** Nobody writes by another person's account what that person has not seen. */
const requireFit = (tool: Tool, { user_id: by }: Principal, question: Question, args: Arguments): void => {
  const changed = changedArguments(question.arguments, args)
  const isForOwner = tool.options?.credential === 'requester' && by !== question.user_id
  const fixed = changed.filter((name) => isForOwner || !question.editable.includes(name))
    .map((name) => isForOwner
      ? {
          pointer: `/arguments/${name}`,
          code: 'requester_only',
          message: 'is written by the account of the person who asked: only they change it; ask them for changes'
        }
      : { pointer: `/arguments/${name}`, code: 'not_editable', message: 'may not be changed here' })
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

/** Keeps the plan of an edit with who wrote it: approved by others, it is still theirs. */
const draftPlan = async (deps: Deps, principal: Principal, actor: Principal, tool: Tool, question: Question,
  args: Arguments): Promise<Draft> => {
  requireFit(tool, principal, question, args)
  const plan = await planEdited(deps, actor, tool, args)
  await requireAllowed(deps, actor, tool, args, plan)
  const draft = { ...toShown(plan), by: principal.user_id }
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
Promise<ConfirmationPlan> => {
  if (question.status !== 'pending' || question.expired) {
    throw ConfirmationClosed('It is not waiting any more', { reason: question.close_reason ?? question.status })
  }
  const tool = await requireTool(deps, principal, question)
  const actor = await actorOf(deps, principal.workspace_id, question)
  return showDraft(deps, principal, await draftPlan(deps, principal, actor, tool, question, args))
}

/** @returns the plan of an edit as it is shown, with who wrote it */
const showDraft = async ({ db }: Deps, { workspace_id: workspaceId, user_id: userId }: Principal,
  { by = userId, ...plan }: Draft): Promise<ConfirmationPlan> => {
  const names = await listNames(db, workspaceId, [by])
  return { ...plan, written_by: { id: by, name: names.get(by) ?? '' } }
}

/**
 * @returns what has to be approved now: the question's own requirement, or a stricter one
 * @throws as `forbid`; forbidden_by_policy for an edit, of which the question knows nothing
 */
const judge = async (deps: Deps, actor: Principal, tool: Tool, question: Question, plan: MadePlan, isEdit: boolean,
  onReplaced: OnReplaced): Promise<Requirement> => {
  const { session_id, run_id } = question
  const verdict = await judgePlan(deps, { actor, session_id, run_id }, tool, plan)
  if (verdict.kind === 'forbid' && isEdit) throw ForbiddenByPolicy(verdict.reason)
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
    await wakeWaiting(deps, trx, workspaceId, question.run_id)
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
    await wakeWaiting(deps, trx, workspaceId, run_id)
    return true
  })
  return replaced ? next : undefined
}

/** What an approval says of the plan that it means. */
interface Approved { arguments?: Arguments, input_digest?: string }

/** The plan that an approval means: the question as it was asked, or the edit of it that was shown last. */
const shownPlan = async (deps: Deps, principal: Principal, actor: Principal, tool: Tool, question: Question,
  { arguments: args, input_digest: digest }: Approved): Promise<Draft | Question> => {
  const { draft } = question
  const isDraft = draft !== null && digest === draft.input_digest
  if (isDraft && (args === undefined || isSameJson(args, draft.arguments))) return draft
  if (args === undefined || isSameJson(args, question.arguments)) return question
  const plan = await draftPlan(deps, principal, actor, tool, question, args)
  // The arguments of a draft may be pinned further than what was typed.
  if (digest !== undefined && digest === plan.input_digest && draft?.input_digest === digest) return plan
  throw PlanRequired('Approve it with the input_digest of this plan',
    { plan: await showDraft(deps, principal, plan) })
}

/** What an approval found when it made the plan again. */
export interface Rechecked {
  /** Who has to approve it now. */
  requirement: Requirement
  /** When it is an edit that is approved; the requirement is then the edit's, of which the question knows nothing. */
  edit?: Edit
}

export interface Edit {
  plan: ShownPlan
  /** Who wrote it. */
  author: string
  /** The question that asks others to approve the edit, too, and its entry in the record. */
  next: Replacement
  asked: AuditEntry
}

/** An edit is another plan: whoever else has to approve is asked about it. */
const toEdited = async (deps: Deps, actor: Principal, tool: Tool, question: Question, plan: MadePlan,
  requirement: Requirement, author: string): Promise<Rechecked> => {
  const { session_id, run_id, user_id } = question
  const call = { id: question.tool_call_id ?? '' }
  const next = await toQuestion(deps, { session_id, run_id, actor }, tool, call, plan, requirement, question)
  return {
    requirement,
    edit: {
      plan: toShown(plan),
      author,
      asked: askedBeside(next, actor, { session_id, run_id }, question.principal),
      next: {
        old: question.id,
        why: 'edited',
        question: { ...next, session_id, run_id, user_id },
        proposed: question.proposed ?? toShown(question),
        authors: author === user_id ? [] : [author],
        tool_version: tool.version,
        announced: false
      }
    }
  }
}

/**
 * Makes the plan again when a person approves, from the state as it is now, and judges it again.
 * @throws state_changed with the question that replaces this one, plan_required with the plan of edited arguments,
 *   confirmation_closed when the rules forbid it by now, plan_unavailable, arguments_invalid
 */
export const recheckPlan = async (deps: Deps, principal: Principal, question: Question, body: Approved,
  onReplaced: OnReplaced): Promise<Rechecked> => {
  const { workspace_id: workspaceId } = principal
  const asStored = { requirement: requirementOf(question) }
  await deps.tools.prepare(workspaceId, [question.name])
  const tool = deps.tools.find(question.name, workspaceId)
  // What became of the tool is found when the call is sent.
  if (!tool) return asStored
  const actor = await actorOf(deps, workspaceId, question)
  const shown = await shownPlan(deps, principal, actor, tool, question, body)
  const isEdit = shown.input_digest !== question.input_digest
  // A draft of the release before does not say whose it is: whoever approves it stands for it.
  const author = 'by' in shown && shown.by !== undefined ? shown.by : principal.user_id
  const plan = await unlessDecided(deps, workspaceId, question, planAgain(deps, actor, tool, shown.arguments))
  if (!plan) return asStored
  const requirement = await judge(deps, actor, tool, question, plan, isEdit, onReplaced)
  if (plan.input_digest === shown.input_digest && !question.is_before_failover) {
    return isEdit ? toEdited(deps, actor, tool, question, plan, requirement, author) : { requirement }
  }
  if (isEdit && !question.is_before_failover) {
    const draft = { ...toShown(plan), by: author }
    await saveDraft(deps.db, workspaceId, question.id, draft)
    throw PlanRequired('The state has changed since this edit was shown: approve it with this input_digest',
      { plan: await showDraft(deps, principal, draft) })
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
