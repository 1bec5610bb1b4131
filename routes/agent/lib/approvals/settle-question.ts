import { decideCall, decideConfirmation, findCall, type lockConfirmation } from '../../../../db/agent/confirmations.js'
import { raiseBudgets } from '../../../../db/agent/runs.js'
import type { ShownPlan } from '../../../../db/agent/tables.js'
import { insertAudit } from '../../../../db/audit.js'
import type { Db } from '../../../../db/index.js'
import { hasScope, type Principal } from '../../../../lib/security/principal.js'
import { isSameJson } from '../../../../lib/tools/digest.js'
import type { ConfirmRequest, ConfirmResult } from '../../../../schemas/agent/confirmations.js'
import { InsufficientScope } from '../../../../schemas/errors.js'
import { ConfirmationExpired, ConfirmationNotFound, ConfirmationClosed, ConfirmationDecided } from '../errors.js'
import { toShown, type Edit, type Rechecked } from '../plans/recheck-plan.js'
import { decidedEntry } from '../run/entries.js'
import { wakeWaiting } from '../run/park-run.js'
import type { Deps } from '../run/run-state.js'
import { castRejection, requireVoters, type Cast } from './cast-vote.js'
import { readGroupNames, showStanding, readStanding } from './standing.js'

export type Locked = NonNullable<Awaited<ReturnType<typeof lockConfirmation>>>
export type Call = NonNullable<Awaited<ReturnType<typeof findCall>>>

export const statusOf = (approved: boolean) => (approved ? ('approved' as const) : ('rejected' as const))

const shownCall = (call: Call | undefined) =>
  call === undefined
    ? null
    : { tool_call_id: call.id, name: call.name, arguments: call.effective_input ?? call.input, status: call.status }

/**
 * @returns the answer to a decision on what is not pending any more
 * @throws confirmation_closed, confirmation_expired, confirmation_decided when it was decided the other way
 */
export const answerDecided = async (
  trx: Db,
  workspaceId: string,
  { run, confirmation }: Locked,
  body: ConfirmRequest
): Promise<Decided> => {
  if (confirmation.status === 'closed') throw ConfirmationClosed(undefined, { reason: confirmation.close_reason })
  if (confirmation.status === 'expired' || (confirmation.status === 'pending' && confirmation.expired)) {
    throw ConfirmationExpired(undefined, { expired_at: confirmation.expires_at })
  }
  const call =
    confirmation.tool_call_id === null ? undefined : await findCall(trx, workspaceId, confirmation.tool_call_id)
  const status = statusOf(body.approved)
  const sameArguments = body.arguments === undefined || isSameJson(body.arguments, call?.effective_input)
  if (confirmation.status !== status || !sameArguments) {
    throw ConfirmationDecided(undefined, { decision: confirmation.status, decided_at: confirmation.decided_at })
  }
  const standing = await readStanding(trx, workspaceId, confirmation)
  const groups = await readGroupNames(trx, workspaceId, [confirmation])
  return {
    run_id: run.id,
    confirmation_id: confirmation.id,
    session_id: run.session_id,
    status,
    decided_at: confirmation.decided_at,
    already_decided: true,
    ...showStanding(confirmation, standing, groups),
    tool_call: shownCall(call),
    waited_ms: null,
    woken: false
  }
}

export type Decided = Omit<ConfirmResult, 'stream_url' | 'decided_at'> & {
  decided_at: Date | null
  /** How long the question waited; null when it is not decided now. */
  waited_ms: number | null
  /** Whether the run has something to do now. */
  woken: boolean
}

/** Who approves a call needs its scope; whether the role on its target suffices is asked of each voter before. */
export const requireScope = ({ deps, principal }: Deciding, { name }: Call): void => {
  const access = deps.tools.find(name, principal.workspace_id)?.access
  if (!access || hasScope(principal, access.scope)) return
  throw InsufficientScope(`Approving this needs the scope ${access.scope}`, { scope: access.scope })
}

/** Whether a decision sets the run going. */
export const isWaiting = ({ status }: Locked['run']): boolean =>
  status === 'awaiting_confirmation' || status === 'parked'

/** One decision under way, in its transaction. */
export interface Deciding {
  deps: Deps
  trx: Db
  principal: Principal
  body: ConfirmRequest
  locked: Locked
  rechecked: Rechecked | undefined
}

export const requireCall = async (trx: Db, workspaceId: string, { confirmation }: Locked): Promise<Call> => {
  const call = await findCall(trx, workspaceId, confirmation.tool_call_id ?? '')
  if (!call) throw ConfirmationNotFound()
  return call
}

/** Records what one person says to a question, in the transaction that takes it. */
export const recordDecision = async ({ trx, principal, body }: Deciding, confirmation: Locked['confirmation'],
  status: Decided['status'], cast: Cast | undefined, edited?: ShownPlan,
  outcome?: 'edited'): Promise<void> => {
  await insertAudit(trx, decidedEntry(principal, body, {
    confirmation: { ...confirmation, requirement: cast?.question.requirement ?? confirmation.requirement },
    edited,
    status,
    consent: cast?.isNew ? cast.consent : undefined,
    missing: status === 'pending' ? cast?.standing.missing ?? 0 : 0,
    outcome: outcome ?? (body.approved ? 'approved' : 'rejected'),
    on_behalf_of: cast?.standing.votes.find((vote) => vote.user_id === principal.user_id)?.for_user_id ?? null
  }))
}

/** How far a question has come with a vote; a budget's has none. */
const shownStanding = async ({ trx, principal }: Deciding, status: ConfirmResult['status'], cast: Cast | undefined) => {
  if (!cast) return { votes: [], missing: 0, waits_for: null }
  const groups = await readGroupNames(trx, principal.workspace_id, [cast.question])
  return showStanding({ ...cast.question, status }, cast.standing, groups)
}

/** Lets the run go on, with a larger budget if that was asked. */
const wakeUp = async ({ deps, trx, principal, body, locked: { run, confirmation } }: Deciding): Promise<void> => {
  const { workspace_id: workspaceId } = principal
  if (confirmation.kind === 'budget' && body.approved) {
    await raiseBudgets(trx, workspaceId, run, deps.workspaces.limitsOf(workspaceId).budget_run_usd * 1_000_000)
  }
  await wakeWaiting(deps, trx, workspaceId, run.id)
}

/** Ends the question as decided, moves its call, and wakes the run. */
export const settle = async (deciding: Deciding, call?: Call, cast?: Cast, edit?: Edit): Promise<Decided> => {
  const { trx, principal, body, locked: { run, confirmation } } = deciding
  const { workspace_id: workspaceId, user_id: userId } = principal
  const status = statusOf(body.approved)
  const edited = edit?.plan
  const decidedAt = await decideConfirmation(trx, workspaceId, {
    id: confirmation.id,
    status,
    reason: body.reason ?? null,
    changes: confirmation.kind === 'tool' ? body.changes : undefined,
    decided_by: userId,
    edited: edit && {
      plan: edit.plan,
      proposed: confirmation.proposed ?? toShown(confirmation),
      authors: [...new Set([...confirmation.authors ?? [], ...edit.next.authors ?? []])]
    }
  })
  if (!decidedAt) throw ConfirmationExpired(undefined, { expired_at: confirmation.expires_at })
  await recordDecision(deciding, confirmation, status, cast, edited)
  if (call) {
    await decideCall(trx, workspaceId, call.id, {
      status,
      effective_input: edited?.arguments,
      input_digest: edited?.input_digest,
      decided_by: `user:${userId}`
    })
  }
  await wakeUp(deciding)
  const moved = call && { ...call, status, effective_input: edited?.arguments ?? call.effective_input }
  return {
    run_id: run.id,
    confirmation_id: confirmation.id,
    session_id: run.session_id,
    status,
    decided_at: decidedAt,
    already_decided: false,
    ...await shownStanding(deciding, status, cast),
    tool_call: shownCall(moved),
    waited_ms: decidedAt.getTime() - confirmation.requested_at.getTime(),
    woken: isWaiting(run)
  }
}

/** The approval is stored; others have to approve, too. */
export const stillPending = async (deciding: Deciding, call: Call, cast: Cast, woken = false): Promise<Decided> => {
  const { run } = deciding.locked
  return {
    run_id: run.id,
    confirmation_id: cast.question.id,
    session_id: run.session_id,
    status: 'pending',
    decided_at: null,
    already_decided: !cast.isNew,
    ...await shownStanding(deciding, 'pending', cast),
    tool_call: shownCall(call),
    waited_ms: null,
    woken
  }
}

/** Who asked may always take it back. */
export const rejectQuestion = async (deciding: Deciding): Promise<Decided> => {
  const { trx, principal, body, locked } = deciding
  const { confirmation } = locked
  if (confirmation.kind === 'budget') return settle(deciding)
  const isOwn = confirmation.user_id === principal.user_id
  const [voter] = isOwn ? [] : await requireVoters(trx, principal, confirmation, body.on_behalf_of)
  const ballot = {
    decision: 'reject' as const, reason: body.changes ?? body.reason ?? null, input_digest: confirmation.input_digest
  }
  const whose = voter?.person.id ?? principal.user_id
  const cast = await castRejection(trx, principal, confirmation, whose, ballot)
  return settle(deciding, await requireCall(trx, principal.workspace_id, locked), cast)
}
