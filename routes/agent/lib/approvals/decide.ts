import { lockConfirmation } from '../../../../db/agent/confirmations.js'
import { findQuestion, replaceQuestion, type Question } from '../../../../db/agent/questions.js'
import { insertAudit } from '../../../../db/audit.js'
import type { Db } from '../../../../db/index.js'
import { problemOf } from '../../../../lib/http/problem.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { describeMissing, missingOn } from '../../../../lib/tools/renderable.js'
import type { ConfirmRequest, ConfirmResult } from '../../../../schemas/agent/confirmations.js'
import type { Requirement } from '../../../../schemas/agent/requirements.js'
import { refusedAttemptJob, type RefusedAttempt } from '../../../../schemas/channels/channels.js'
import { ApiError, InvalidRequest, type Problem } from '../../../../schemas/errors.js'
import { messageOf } from '../../../../schemas/unknown.js'
import {
  ConfirmationClosed, ConfirmationNotFound, ConsentSignatureRequired, DecidedAsSteps, NeedsOtherApprover,
  NotShownWhole, StalePreview, HighRiskAlone
} from '../errors.js'
import { recheckPlan, type Edit, type OnReplaced, type Rechecked } from '../plans/recheck-plan.js'
import { wakeWaiting } from '../run/park-run.js'
import { recordApproval } from '../run/record.js'
import type { Deps } from '../run/run-state.js'
import {
  answerDecided, type Call, type Locked, isWaiting, recordDecision, rejectQuestion, requireCall, requireScope, settle,
  stillPending, type Decided, type Deciding
} from './settle-question.js'
import { castApproval, keepRequirement, requireVoters, type Cast } from './cast-vote.js'
import { takeConsent, toSigned } from './sign-consent.js'
import { isEligible, isVisible, readDeciding, readStanding, type Voter } from './standing.js'

export type OutsiderDeps = Pick<Deps, 'jobs' | 'db' | 'log'>

/**
 * A person named a question that they may not see. Nobody guesses its id, so they have it from a message that was sent
 * to another: whoever was sent one is notified. Work of Steward's own, which looks on a person's behalf, is no attempt.
 * @returns the error, which is that of a missing question
 */
export const reportOutsider = async ({ jobs, db, log }: OutsiderDeps, principal: Principal, id: string,
  how: RefusedAttempt['how']): Promise<ApiError> => {
  const { workspace_id, user_id, origin, background } = principal
  if (background === true || !origin) return ConfirmationNotFound()
  const attempt: RefusedAttempt = { workspace_id, user_id, confirmation_id: id, how, origin }
  // That nobody can be notified now makes no other answer.
  await jobs.enqueue(db, refusedAttemptJob, attempt).catch((error: unknown) =>
    log.warn({ reason: messageOf(error), confirmation_id: id }, 'nobody is notified of a refused attempt'))
  return ConfirmationNotFound()
}

/** Gives the approval in a question that asks about an edit, unless who gives it has written the edit. */
const castOnEdit = async (deciding: Deciding, asked: Locked, voters: readonly Voter[], call: Call): Promise<Cast> => {
  const { trx, principal, body } = deciding
  const { confirmation } = asked
  const counting = voters.filter((voter) => isEligible(confirmation, voter))
  if (counting.length === 0) {
    const standing = await readStanding(trx, principal.workspace_id, confirmation)
    return { question: confirmation, standing, isNew: true }
  }
  const ballot = { decision: 'approve' as const, reason: body.reason ?? null, input_digest: confirmation.input_digest }
  const sign = () => takeConsent(deciding, confirmation, toSigned(call.id, confirmation))
  return castApproval(trx, principal, confirmation, counting, { ...ballot, sign })
}

/**
 * An edit that others have to approve, too, is a question of its own, whose author is the editor beside the person who
 * asked. The approval is the first vote in it, where such an author's counts.
 */
const askAboutEdit = async (deciding: Deciding, { next, asked: entry }: Edit, voters: readonly Voter[]):
Promise<Decided> => {
  const { deps, trx, principal, locked: { run } } = deciding
  const { workspace_id: workspaceId } = principal
  if (!await replaceQuestion(trx, workspaceId, next)) throw ConfirmationNotFound()
  const asked = await lockConfirmation(trx, workspaceId, run.session_id, next.question.id)
  if (!asked) throw ConfirmationNotFound()
  const call = await requireCall(trx, workspaceId, asked)
  await insertAudit(trx, entry)
  const cast = await castOnEdit(deciding, asked, voters, call)
  // Who approves what another has written may be the last who is needed.
  if (cast.standing.missing === 0) return settle({ ...deciding, locked: asked }, call, cast)
  const hasVoted = cast.standing.votes.length > 0
  await recordDecision(deciding, asked.confirmation, 'pending', cast, undefined, hasVoted ? undefined : 'edited')
  await wakeWaiting(deps, trx, workspaceId, run.id)
  return stillPending(deciding, call, cast, isWaiting(run))
}

/**
 * Approves an edit. What it needs is judged as of any plan: the question that was edited keeps its own rules, and where
 * the edit is refused it stays as it was.
 */
const approveEdit = async (deciding: Deciding, edit: Edit, requirement: Requirement): Promise<Decided> => {
  const { trx, principal, body, locked } = deciding
  const { workspace_id: workspaceId } = principal
  const { confirmation } = locked
  const call = await requireCall(trx, workspaceId, locked)
  requireScope(deciding, call)
  const { risk, target, input_digest } = edit.plan
  const edited = { ...confirmation, risk, target, input_digest, requirement }
  const voters = await requireVoters(trx, principal, edited, body.on_behalf_of)
  if (requirement.approvals > 1 || requirement.exclude_requester) return askAboutEdit(deciding, edit, voters)
  const ballot = { decision: 'approve' as const, reason: body.reason ?? null, input_digest }
  const sign = () => takeConsent(deciding, edited, toSigned(call.id, edit.plan))
  const cast = await castApproval(trx, principal, edited, voters, { ...ballot, sign })
  await keepRequirement(trx, workspaceId, confirmation, requirement)
  return settle(deciding, call, cast, edit)
}

const approve = async (deciding: Deciding): Promise<Decided> => {
  const { trx, principal, body, locked, rechecked } = deciding
  if (locked.confirmation.kind === 'budget') return settle(deciding)
  const { workspace_id: workspaceId } = principal
  const judged = rechecked?.requirement
  const { confirmation } = locked
  if (confirmation.steps !== null) throw DecidedAsSteps()
  if (rechecked?.edit) return approveEdit(deciding, rechecked.edit, rechecked.requirement)
  const question = judged ? await keepRequirement(trx, workspaceId, confirmation, judged) : confirmation
  const call = await requireCall(trx, workspaceId, locked)
  requireScope(deciding, call)
  const voters = await requireVoters(trx, principal, question, body.on_behalf_of)
  const ballot = { decision: 'approve' as const, reason: body.reason ?? null, input_digest: question.input_digest }
  const sign = () => takeConsent(deciding, question, toSigned(call.id, confirmation))
  const cast = await castApproval(trx, principal, question, voters, { ...ballot, sign })
  if (cast.standing.missing === 0) return settle(deciding, call, cast)
  if (cast.isNew) await recordDecision(deciding, confirmation, 'pending', cast)
  return stillPending(deciding, call, cast)
}

const decideInside = async (deps: Deps, trx: Db, principal: Principal, body: ConfirmRequest,
  rechecked: Rechecked | undefined): Promise<Decided> => {
  const { workspace_id: workspaceId } = principal
  const locked = await lockConfirmation(trx, workspaceId, body.session_id, body.confirmation_id)
  if (!locked) throw ConfirmationNotFound()
  const { run, confirmation } = locked
  if (confirmation.status !== 'pending' || confirmation.expired) return answerDecided(trx, workspaceId, locked, body)
  // The run is about to end and executes nothing more, whatever is decided now.
  if (run.cancel_requested_at !== null) throw ConfirmationClosed(undefined, { reason: run.reason })
  const deciding = { deps, trx, principal, body, locked, rechecked }
  return body.approved ? approve(deciding) : rejectQuestion(deciding)
}

/**
 * @param how what the question is looked up for
 * @returns the question. @throws confirmation_not_found also for one that the principal may not see
 */
export const requireQuestion = async (deps: OutsiderDeps, principal: Principal, id: string,
  how: 'read' | 'decide' = 'decide'): Promise<Question> => {
  const question = await findQuestion(deps.db, principal.workspace_id, id)
  if (!question) throw ConfirmationNotFound()
  if (question.user_id === principal.user_id) return question
  const deciding = await readDeciding(deps.db, principal, [question])
  if (!isVisible(question, principal, deciding)) throw await reportOutsider(deps, principal, id, how)
  return question
}

/** Looks at what is decided, and plans an approval again. @returns undefined where no plan decides anything */
const recheck = async (deps: Deps, principal: Principal, body: ConfirmRequest, onReplaced: OnReplaced):
Promise<Rechecked | undefined> => {
  if (body.approved && body.changes !== undefined) throw InvalidRequest('/changes is only for approved: false')
  if (!body.approved && body.signature) throw InvalidRequest('/signature is only for approved: true')
  const question = await requireQuestion(deps, principal, body.confirmation_id)
  if (question.session_id !== body.session_id.toLowerCase()) throw ConfirmationNotFound()
  const { input_digest: digest } = body
  if (digest !== undefined && ![question.input_digest, question.draft?.input_digest].includes(digest)) {
    throw StalePreview(undefined, { input_digest: question.input_digest })
  }
  const waits = question.status === 'pending' && !question.expired
  if (!waits || !body.approved || question.kind !== 'tool') return undefined
  if (question.steps !== null) throw DecidedAsSteps()
  // A card of a release before may have a button.
  const missing = principal.channel === 'slack' ? missingOn('slack', question) : []
  if (missing.length > 0) throw NotShownWhole(`The card did not show ${describeMissing(missing)}`, { missing })
  // Who may not approve it makes no plan.
  await requireVoters(deps.db, principal, question, body.on_behalf_of)
  return recheckPlan(deps, principal, question, body, onReplaced)
}

/** A stricter requirement stays also when it takes no vote of whoever found it: the others see the question by it. */
const keepStricter = async (deps: Deps, { workspace_id: workspaceId }: Principal, body: ConfirmRequest,
  { requirement }: Rechecked): Promise<void> => {
  if (!requirement) return
  await deps.db.transaction().execute(async (trx) => {
    const locked = await lockConfirmation(trx, workspaceId, body.session_id, body.confirmation_id)
    if (locked?.confirmation.status !== 'pending') return
    await keepRequirement(trx, workspaceId, locked.confirmation, requirement)
  })
}

/**
 * Takes one person's decision on a question. A rejection decides it, an approval when enough people have given theirs.
 * The decision stands, whatever becomes of the run. An approval makes the plan again first, from the current state.
 * @param onReplaced called with the run whose question was replaced or closed, for the run to go on
 * @throws confirmation_not_found, confirmation_decided, confirmation_closed, confirmation_expired, stale_preview,
 * state_changed, plan_required, plan_unavailable, arguments_invalid, needs_other_approver, decided_as_steps,
 * consent_signature_required, signature_invalid,
 * insufficient_role, insufficient_scope, invalid_request
 */
export const decide = async (deps: Deps, principal: Principal, body: ConfirmRequest, onReplaced: OnReplaced):
Promise<Decided> => {
  const rechecked = await recheck(deps, principal, body, onReplaced)
  const decided = await deps.db.transaction().execute(async (trx) => {
    const made = await decideInside(deps, trx, principal, body, rechecked)
    deps.failpoint('confirm.before_commit')
    return made
  }).catch(async (error: unknown) => {
    const lacks: string[] = [NeedsOtherApprover.code, ConsentSignatureRequired.code]
    const isLacking = error instanceof ApiError && lacks.includes(error.code)
    // What an edit needs is nothing that the question needs.
    if (isLacking && rechecked && !rechecked.edit) await keepStricter(deps, principal, body, rechecked)
    throw error
  })
  deps.failpoint('confirm.after_commit')
  if (decided.waited_ms !== null) recordApproval(deps, decided.status as 'approved' | 'rejected', decided.waited_ms)
  return decided
}

export interface DecidedItem { confirmation_id: string, result: ConfirmResult | null, problem: Problem | null }

/** Nobody reads the tenth of ten cards as the first. @throws high_risk_alone */
const requireAlone = async (deps: OutsiderDeps, principal: Principal, body: ConfirmRequest): Promise<void> => {
  const { approved, confirmation_id, input_digest: digest } = body
  if (!approved) return
  const { risk, status, draft } = await requireQuestion(deps, principal, confirmation_id)
  // An edit may be of another risk than the question: what is approved is the plan of the digest.
  const shown = draft !== null && draft.input_digest === digest ? draft.risk : risk
  if (shown === 'high' && status === 'pending') throw HighRiskAlone()
}

/**
 * Takes several decisions, one after the other, each by `decideOne`.
 * @returns for each its result, or its problem; a failure of Steward's own ends the rest
 */
export const decideEach = async (deps: OutsiderDeps, principal: Principal, requestId: string,
  decisions: readonly ConfirmRequest[], decideOne: (body: ConfirmRequest) => Promise<ConfirmResult>):
Promise<DecidedItem[]> => {
  const items: DecidedItem[] = []
  for (const body of decisions) {
    const { confirmation_id } = body
    try {
      if (decisions.length > 1) await requireAlone(deps, principal, body)
      items.push({ confirmation_id, result: await decideOne(body), problem: null })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      items.push({ confirmation_id, result: null, problem: problemOf(error, requestId) })
    }
  }
  return items
}
