import { v7 as uuid } from 'uuid'
import { decideCall, lockConfirmation } from '../../../../db/agent/confirmations.js'
import { replaceQuestion, type Question } from '../../../../db/agent/questions.js'
import { markStep } from '../../../../db/agent/votes.js'
import { insertAudit } from '../../../../db/audit.js'
import type { Db } from '../../../../db/index.js'
import type { Signed } from '../../../../lib/passkeys/take-signature.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { ConfirmRequest } from '../../../../schemas/agent/confirmations.js'
import type { DecideSteps } from '../../../../schemas/agent/steps.js'
import { InvalidRequest } from '../../../../schemas/errors.js'
import {
  answerDecided, type Locked, isWaiting, recordDecision, rejectQuestion, requireCall, requireScope, settle,
  stillPending, type Decided, type Deciding
} from './settle-question.js'
import { castApproval, keepRequirement, type Cast } from './cast-vote.js'
import { requireQuestion } from './decide.js'
import { askedBeside } from '../run/entries.js'
import {
  ConfirmationClosed, ConfirmationNotFound, HighRiskAlone, NeedsOtherApprover, StalePreview, StepForbidden,
  StepsNotFound
} from '../errors.js'
import { wakeWaiting } from '../run/park-run.js'
import { authorsOf, editOf, listWaiting, planSteps, type Step, type Steps } from '../plans/plan-steps.js'
import { toShown } from '../plans/recheck-plan.js'
import { recordApproval } from '../run/record.js'
import type { Deps } from '../run/run-state.js'
import { signedSteps, takeSigned } from './sign-consent.js'
import type { Consent } from '../run/entries.js'
import { isSameGroup, requireAllVisible, votedOn } from './show-steps.js'
import { eligibleAs, readDeciding } from './standing.js'

/** A decision of a plan of steps under way, in its transaction. */
interface Taking {
  deps: Deps
  trx: Db
  principal: Principal
  body: DecideSteps
  question: Question
  /** The one signature of all steps, taken with the first vote that is new. */
  signed?: Promise<Signed | undefined>
}

const bodyOf = ({ body, question }: Taking, id: string): ConfirmRequest => {
  const { input_digest: _, high_risk: __, signature: ___, ...decision } = body
  return { ...decision, session_id: question.session_id, confirmation_id: id }
}

const lock = async ({ trx, principal, question }: Taking, id: string): Promise<Locked> => {
  const locked = await lockConfirmation(trx, principal.workspace_id, question.session_id, id)
  if (!locked) throw ConfirmationNotFound()
  if (locked.run.cancel_requested_at !== null) throw ConfirmationClosed(undefined, { reason: locked.run.reason })
  return locked
}

const decidingOf = (taking: Taking, locked: Locked): Deciding => {
  const { deps, trx, principal } = taking
  return { deps, trx, principal, body: bodyOf(taking, locked.confirmation.id), locked, rechecked: undefined }
}

/** Nobody approves a step of high risk without having named it. @throws high_risk_alone, step_forbidden */
const requireApprovable = ({ steps }: Steps, { high_risk: named = [] }: DecideSteps): void => {
  const numbered = steps.map((step, index) => ({ ...step, number: index + 1 }))
  const forbidden = numbered.find((step) => step.forbidden !== null)
  if (forbidden) throw StepForbidden(undefined, { step: forbidden.number, reason: forbidden.forbidden })
  const high = numbered.filter(({ plan, number }) => plan.risk === 'high' && !named.includes(number))
    .map(({ number }) => number)
  if (high.length > 0) throw HighRiskAlone('Name each step of high risk in high_risk', { steps: high })
}

/** @throws stale_preview when another decision came between the plan and the lock */
const requireUnmoved = async ({ trx, principal, question }: Taking, { steps }: Steps): Promise<void> => {
  const now = await listWaiting({ db: trx }, principal.workspace_id, question)
  const isUnmoved = steps.every((step) => now.some((one) => one.call.id === step.call.id &&
    one.question?.id === step.question?.id && one.question?.status === step.question?.status &&
    one.question?.draft?.input_digest === step.question?.draft?.input_digest &&
    one.question?.steps?.input_digest === step.question?.steps?.input_digest))
  if (!isUnmoved) throw StalePreview('It was decided or planned meanwhile: look at the plan again')
}

/** Asks what is not asked yet as it is planned now. Votes on another plan of steps do not count for this one. */
const askStep = async ({ trx, principal, question }: Taking, { actor }: Steps, step: Step): Promise<string> => {
  const { workspace_id: workspaceId } = principal
  const { asked, question: old, call, tool, requirement } = step
  if (old && asked.id === old.id && old.steps === null) return old.id
  const { session_id, run_id, user_id } = question
  const row = {
    id: uuid(),
    kind: 'tool' as const,
    tool_call_id: call.id,
    name: tool.name,
    editable: tool.editable,
    ...toShown(step.plan),
    preview: asked.preview,
    requirement,
    replaces: old?.id ?? null,
    thread_id: old ? old.thread_id ?? old.id : asked.thread_id,
    expires_at: new Date(asked.expires_at).toISOString(),
    session_id,
    run_id,
    user_id
  }
  // Planned on what the steps before it leave, the same edit may have another digest.
  const draft = old && editOf(old)
  const change = {
    old: old?.id ?? null,
    why: draft ? 'edited' as const : 'state_changed' as const,
    question: row,
    ...(old && draft && { proposed: old.proposed ?? toShown(old) }),
    ...(old && { authors: authorsOf(old) }),
    tool_version: tool.version,
    announced: false
  }
  if (!await replaceQuestion(trx, workspaceId, change)) throw ConfirmationNotFound()
  await insertAudit(trx, askedBeside(row, actor, { session_id, run_id }, question.principal))
  return row.id
}

/** @returns the questions of the steps, each marked with its place */
const formGroup = async (taking: Taking, made: Steps): Promise<string[]> => {
  const { trx, principal } = taking
  if (isSameGroup(made)) return made.steps.map(({ asked }) => asked.id)
  const [id, of] = [uuid(), made.steps.length]
  const ids: string[] = []
  for (const [index, step] of made.steps.entries()) {
    const asked = await askStep(taking, made, step)
    await markStep(trx, principal.workspace_id, asked, { id, step: index + 1, of, input_digest: made.input_digest })
    ids.push(asked)
  }
  return ids
}

/** All steps are signed together; each entry of the record has its own plan beside the signature. */
const signStep = async (taking: Taking, made: Steps, step: Step): Promise<Consent | undefined> => {
  const isRequired = made.steps.some(({ requirement }) => requirement.signed)
  const all = signedSteps(made)
  taking.signed ??= takeSigned(taking, isRequired, all)
  const signed = await taking.signed
  return signed && { ...signed, plan: all[made.steps.indexOf(step)]?.plan }
}

interface Voted { deciding: Deciding, cast: Cast }

/** Gives the vote in one step; in one for which the person does not count, others have to. */
const vote = async (taking: Taking, id: string, made: Steps, step: Step): Promise<Voted & { isOwn: boolean }> => {
  const { trx, principal, body } = taking
  const deciding = decidingOf(taking, await lock(taking, id))
  const { confirmation } = deciding.locked
  const question = await keepRequirement(trx, principal.workspace_id, confirmation, step.requirement)
  requireScope(deciding, await requireCall(trx, principal.workspace_id, deciding.locked))
  const all = eligibleAs(question, await readDeciding(trx, principal, [question]))
  const voters = body.on_behalf_of === undefined
    ? all
    : all.filter(({ person }) => person.id === body.on_behalf_of?.toLowerCase())
  const ballot = { decision: 'approve' as const, reason: body.reason ?? null, input_digest: question.input_digest }
  const sign = () => signStep(taking, made, step)
  const cast = await castApproval(trx, principal, question, voters, { ...ballot, sign })
  return { deciding, cast, isOwn: voters.length > 0 }
}

const approve = async (taking: Taking, made: Steps): Promise<Decided[]> => {
  const { deps, trx, principal, question } = taking
  const { run } = await lock(taking, question.id)
  await requireUnmoved(taking, made)
  const ids = await formGroup(taking, made)
  const voted = []
  for (const [index, step] of made.steps.entries()) voted.push(await vote(taking, ids[index] ?? '', made, step))
  if (!voted.some(({ isOwn }) => isOwn)) throw NeedsOtherApprover()
  const isEnough = voted.every(({ cast }) => cast.standing.missing === 0)
  const items: Decided[] = []
  for (const { deciding, cast } of voted) {
    const call = await requireCall(trx, principal.workspace_id, deciding.locked)
    if (!isEnough && cast.isNew) await recordDecision(deciding, deciding.locked.confirmation, 'pending', cast)
    items.push(isEnough ? await settle(deciding, call, cast) : await stillPending(deciding, call, cast))
  }
  // New questions have to come into the run's stream, whoever still has to approve them.
  await wakeWaiting(deps, trx, principal.workspace_id, run.id)
  return items.map((item) => ({ ...item, woken: isWaiting(run) }))
}

/** Rejects all that waits of the turn, or nothing where the person may not reject one of them. */
const reject = async (taking: Taking): Promise<Decided[]> => {
  const { trx, principal, question } = taking
  const { workspace_id: workspaceId, user_id: userId } = principal
  await lock(taking, question.id)
  const items: Decided[] = []
  for (const { call, question: own } of await listWaiting({ db: trx }, workspaceId, question)) {
    if (own && own.status === 'pending' && !own.expired) {
      items.push(await rejectQuestion(decidingOf(taking, await lock(taking, own.id))))
    } else if (!own) await decideCall(trx, workspaceId, call.id, { status: 'rejected', decided_by: `user:${userId}` })
  }
  return items
}

/** The same decision again. @throws what says that it was decided the other way, or is closed */
const repeat = async (taking: Taking): Promise<Decided[]> => {
  const { trx, principal, question } = taking
  const locked = await lockConfirmation(trx, principal.workspace_id, question.session_id, question.id)
  if (!locked) throw ConfirmationNotFound()
  return [await answerDecided(trx, principal.workspace_id, locked, bodyOf(taking, question.id))]
}

/** Plans what is approved, and looks whether it is what was shown. @throws stale_preview, steps_not_found */
const recheck = async (deps: Deps, principal: Principal, body: DecideSteps, question: Question): Promise<Steps> => {
  if (body.changes !== undefined) throw InvalidRequest('/changes is only for approved: false')
  const made = await planSteps(deps, principal.workspace_id, question)
  const questions = made.steps.map((step) => votedOn(step, question))
  await requireAllVisible(deps, principal, question, questions)
  if (body.input_digest !== made.input_digest) throw StalePreview(undefined, { input_digest: made.input_digest })
  requireApprovable(made, body)
  return made
}

/**
 * Takes one person's decision on a plan of steps, for all of its steps in one transaction: an approval counts for each
 * step for which the person counts, and nothing is approved before every step has enough. A rejection rejects them all.
 * @throws as `decide`; steps_not_found, step_forbidden, high_risk_alone
 */
export const decideSteps = async (deps: Deps, principal: Principal, id: string, body: DecideSteps):
Promise<Decided[]> => {
  const question = await requireQuestion(deps, principal, id)
  if (question.kind !== 'tool') throw StepsNotFound()
  if (!body.approved && body.signature) throw InvalidRequest('/signature is only for approved: true')
  const waits = question.status === 'pending' && !question.expired
  const made = waits && body.approved ? await recheck(deps, principal, body, question) : undefined
  const decided = await deps.db.transaction().execute(async (trx) => {
    const taking: Taking = { deps, trx, principal, body, question }
    if (!waits) return repeat(taking)
    const items = made ? await approve(taking, made) : await reject(taking)
    deps.failpoint('steps.before_commit')
    return items
  })
  deps.failpoint('steps.after_commit')
  for (const { status, waited_ms: ms } of decided) {
    if (ms !== null) recordApproval(deps, status as 'approved' | 'rejected', ms)
  }
  return decided
}
