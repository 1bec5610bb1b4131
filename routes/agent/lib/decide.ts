import {
  decideCall,
  decideConfirmation,
  findCall,
  lockConfirmation,
  wakeRun
} from '../../../db/agent/confirmations.js'
import { findQuestion } from '../../../db/agent/questions.js'
import { raiseBudgets } from '../../../db/agent/runs.js'
import type { ShownPlan } from '../../../db/agent/tables.js'
import type { Db } from '../../../db/index.js'
import type { Principal } from '../../../lib/security/principal.js'
import { hasRole, hasScope } from '../../../lib/security/principal.js'
import { InsufficientRole, InsufficientScope } from '../../../schemas/errors.js'
import type { ConfirmRequest } from '../../../schemas/agent/confirmations.js'
import { isSameJson } from './digest.js'
import {
  ConfirmationClosed,
  ConfirmationDecided,
  ConfirmationExpired,
  ConfirmationNotFound,
  StalePreview
} from './errors.js'
import { recheckPlan, toShown } from './recheck-plan.js'
import { recordApproval } from './record.js'
import type { Deps } from './run-state.js'

type Locked = NonNullable<Awaited<ReturnType<typeof lockConfirmation>>>
type Call = NonNullable<Awaited<ReturnType<typeof findCall>>>

export interface Decided {
  run_id: string
  confirmation_id: string
  session_id: string
  status: 'approved' | 'rejected'
  decided_at: Date
  already_decided: boolean
  tool_call: { tool_call_id: string; name: string; arguments: unknown; status: string } | null
  /** How long the question waited; null when it had been decided before. */
  waited_ms: number | null
  /** Whether the run has something to do now. */
  woken: boolean
}

const statusOf = (approved: boolean) => (approved ? ('approved' as const) : ('rejected' as const))

const shown = (call: Call | undefined) =>
  call === undefined
    ? null
    : { tool_call_id: call.id, name: call.name, arguments: call.effective_input ?? call.input, status: call.status }

/** The answer to a decision on what is not pending any more. */
const answerDecided = async (
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
  return {
    run_id: run.id,
    confirmation_id: confirmation.id,
    session_id: run.session_id,
    status,
    decided_at: confirmation.decided_at ?? new Date(),
    already_decided: true,
    tool_call: shown(call),
    waited_ms: null,
    woken: false
  }
}

/** Who approves a call must have the right to make it. */
const requireRight = (deps: Deps, principal: Principal, call: Call): void => {
  const access = deps.tools.find(call.name)?.access
  if (!access) return
  if (!hasRole(principal, access.role)) {
    throw InsufficientRole(`Approving this needs the role ${access.role}`, { role: access.role })
  }
  if (!hasScope(principal, access.scope)) {
    throw InsufficientScope(`Approving this needs the scope ${access.scope}`, { scope: access.scope })
  }
}

const decideTool = async (
  deps: Deps,
  trx: Db,
  principal: Principal,
  { confirmation }: Locked,
  approved: boolean,
  edited: ShownPlan | undefined
): Promise<Call> => {
  const { workspace_id: workspaceId, user_id: userId } = principal
  const call = await findCall(trx, workspaceId, confirmation.tool_call_id ?? '')
  if (!call) throw ConfirmationNotFound()
  if (approved) requireRight(deps, principal, call)
  const status = statusOf(approved)
  await decideCall(trx, workspaceId, call.id, {
    status,
    effective_input: edited?.arguments,
    input_digest: edited?.input_digest,
    decided_by: `user:${userId}`
  })
  return { ...call, status, effective_input: edited?.arguments ?? call.effective_input }
}

const decideInside = async (deps: Deps, trx: Db, principal: Principal, body: ConfirmRequest,
  edited: ShownPlan | undefined): Promise<Decided> => {
  const { workspace_id: workspaceId, user_id: userId } = principal
  const locked = await lockConfirmation(trx, workspaceId, userId, body.session_id, body.confirmation_id)
  if (!locked) throw ConfirmationNotFound()
  const { run, confirmation } = locked
  if (confirmation.status !== 'pending' || confirmation.expired) return answerDecided(trx, workspaceId, locked, body)
  // The run is about to end and executes nothing more, whatever is decided now.
  if (run.cancel_requested_at !== null) throw ConfirmationClosed(undefined, { reason: run.reason })
  const call = confirmation.kind === 'tool'
    ? await decideTool(deps, trx, principal, locked, body.approved, edited)
    : undefined
  const status = statusOf(body.approved)
  const decidedAt = await decideConfirmation(trx, workspaceId, {
    id: confirmation.id,
    status,
    reason: body.reason ?? null,
    decided_by: userId,
    edited: edited && { plan: edited, proposed: toShown(confirmation) }
  })
  if (!decidedAt) throw ConfirmationExpired(undefined, { expired_at: confirmation.expires_at })
  if (confirmation.kind === 'budget' && body.approved) {
    await raiseBudgets(trx, workspaceId, run, deps.workspaces.limitsOf(workspaceId).budget_run_usd * 1_000_000)
  }
  await wakeRun(trx, workspaceId, run.id)
  deps.failpoint('confirm.before_commit')
  return {
    run_id: run.id,
    confirmation_id: confirmation.id,
    session_id: run.session_id,
    status,
    decided_at: decidedAt,
    already_decided: false,
    tool_call: shown(call),
    waited_ms: decidedAt.getTime() - confirmation.requested_at.getTime(),
    woken: run.status === 'awaiting_confirmation'
  }
}

/** @returns the edit that is approved; undefined for an unchanged question, a rejection and a decided one */
const recheck = async (deps: Deps, principal: Principal, body: ConfirmRequest, onReplaced: OnReplaced) => {
  const question = await findQuestion(deps.db, principal.workspace_id, principal.user_id, body.confirmation_id)
  if (question?.session_id !== body.session_id) throw ConfirmationNotFound()
  const { input_digest: digest } = body
  if (digest !== undefined && ![question.input_digest, question.draft?.input_digest].includes(digest)) {
    throw StalePreview(undefined, { input_digest: question.input_digest })
  }
  const waits = question.status === 'pending' && !question.expired
  if (!waits || !body.approved || question.kind !== 'tool') return undefined
  return recheckPlan(deps, principal, question, body, onReplaced)
}

type OnReplaced = (runId: string) => Promise<void>

/**
 * Decides one confirmation. The decision stands, whatever becomes of the run. An approval makes the plan again first,
 * from the current state.
 * @param onReplaced called with the run whose question was replaced, for the run to announce the new one
 * @throws confirmation_not_found, confirmation_decided, confirmation_closed, confirmation_expired, stale_preview,
 * state_changed, plan_required, plan_unavailable, arguments_invalid, insufficient_role, insufficient_scope
 */
export const decide = async (deps: Deps, principal: Principal, body: ConfirmRequest, onReplaced: OnReplaced):
Promise<Decided> => {
  const edited = await recheck(deps, principal, body, onReplaced)
  const decided = await deps.db.transaction().execute((trx) => decideInside(deps, trx, principal, body, edited))
  deps.failpoint('confirm.after_commit')
  if (!decided.already_decided) recordApproval(deps, decided.status, decided.waited_ms)
  return decided
}
