import {
  decideCall,
  decideConfirmation,
  findCall,
  lockConfirmation,
  wakeRun
} from '../../../db/agent/confirmations.js'
import { listPreferences, type PreferenceRow } from '../../../db/agent/preferences.js'
import { raiseBudgets } from '../../../db/agent/runs.js'
import type { Db } from '../../../db/index.js'
import type { Principal } from '../../../plugins/principal.js'
import type { Arguments } from '../../../plugins/tool-options.js'
import { hasRole, hasScope } from '../../../plugins/principal.js'
import { InsufficientRole, InsufficientScope } from '../../../schemas/errors.js'
import type { ConfirmRequest } from '../../../schemas/agent/confirmations.js'
import { findForbidding } from './apply-preferences.js'
import { digestOf } from './digest.js'
import {
  ArgumentsInvalid,
  ConfirmationClosed,
  ConfirmationDecided,
  ConfirmationExpired,
  ConfirmationNotFound,
  StalePreview
} from './errors.js'
import { tellApproval } from './tell.js'
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
  const sameArguments = body.arguments === undefined || canonicalEqual(body.arguments, call?.effective_input)
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

const canonicalEqual = (a: unknown, b: unknown): boolean => {
  const digest = (args: unknown) => digestOf({ name: '', version: '', args, workspaceId: '', userId: '' })
  return digest(a) === digest(b)
}

/** @returns the arguments that will run, checked again. @throws arguments_invalid with pointers */
const editedArguments = (deps: Deps, body: ConfirmRequest, editable: string[], call: Call,
  preferences: PreferenceRow[]): Arguments | undefined => {
  if (body.arguments === undefined || !body.approved) return undefined
  const before = call.effective_input ?? {}
  const changed = [...new Set([...Object.keys(before), ...Object.keys(body.arguments)])].filter(
    (name) => !canonicalEqual(before[name] ?? null, body.arguments?.[name] ?? null)
  )
  const fixed = changed
    .filter((name) => !editable.includes(name))
    .map((name) => ({ pointer: `/arguments/${name}`, code: 'not_editable', message: 'may not be changed here' }))
  const forbidding = findForbidding(call.name, body.arguments, preferences)
  const forbidden = forbidding === undefined
    ? []
    : [{ pointer: '/arguments', code: 'forbidden_by_preference', message: `are forbidden by ${forbidding}` }]
  const tool = deps.tools.find(call.name)
  const unfit = (tool?.check(body.arguments) ?? []).map((error) => ({
    ...error,
    pointer: `/arguments${error.pointer}`
  }))
  const errors = [...fixed, ...unfit, ...forbidden]
  if (errors.length > 0) throw ArgumentsInvalid(`${errors[0]?.pointer} ${errors[0]?.message}`, { errors })
  return changed.length > 0 ? body.arguments : undefined
}

/** Approving is doing: whoever approves must be allowed to do it themselves. */
const checkRight = (deps: Deps, principal: Principal, call: Call): void => {
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
  locked: Locked,
  body: ConfirmRequest
): Promise<Call> => {
  const { confirmation } = locked
  const call = await findCall(trx, principal.workspace_id, confirmation.tool_call_id ?? '')
  if (!call) throw ConfirmationNotFound()
  if (body.approved) checkRight(deps, principal, call)
  const preferences = body.arguments ? await listPreferences(trx, principal.workspace_id, principal.user_id) : []
  const edited = editedArguments(deps, body, confirmation.editable, call, preferences)
  const tool = deps.tools.find(call.name)
  const { workspace_id: workspaceId, user_id: userId } = principal
  const digest =
    edited && digestOf({ name: call.name, version: tool?.version ?? '', args: edited, workspaceId, userId })
  const status = statusOf(body.approved)
  await decideCall(trx, workspaceId, call.id, {
    status,
    effective_input: edited,
    input_digest: digest,
    decided_by: `user:${userId}`
  })
  return { ...call, status, effective_input: edited ?? call.effective_input }
}

const decideInside = async (deps: Deps, trx: Db, principal: Principal, body: ConfirmRequest): Promise<Decided> => {
  const { workspace_id: workspaceId, user_id: userId } = principal
  const locked = await lockConfirmation(trx, workspaceId, userId, body.session_id, body.confirmation_id)
  if (!locked) throw ConfirmationNotFound()
  const { run, confirmation } = locked
  if (body.input_digest !== undefined && body.input_digest !== confirmation.input_digest) {
    throw StalePreview(undefined, { input_digest: confirmation.input_digest })
  }
  if (confirmation.status !== 'pending' || confirmation.expired) return answerDecided(trx, workspaceId, locked, body)
  // The run is about to end and executes nothing more, whatever is said now.
  if (run.cancel_requested_at !== null) throw ConfirmationClosed(undefined, { reason: run.reason })
  const call = confirmation.kind === 'tool' ? await decideTool(deps, trx, principal, locked, body) : undefined
  const status = statusOf(body.approved)
  const decidedAt = await decideConfirmation(trx, workspaceId, {
    id: confirmation.id,
    status,
    reason: body.reason ?? null,
    decided_by: userId
  })
  if (!decidedAt) throw ConfirmationExpired(undefined, { expired_at: confirmation.expires_at })
  if (confirmation.kind === 'budget' && body.approved) {
    await raiseBudgets(trx, workspaceId, run, deps.config.limits.budget_run_usd * 1_000_000)
  }
  await wakeRun(trx, workspaceId, run.id)
  deps.crossing('confirm.before_commit')
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

/**
 * Decides one confirmation, as a fact of its own: what becomes of the run afterwards changes nothing of it.
 * @throws confirmation_not_found, confirmation_decided, confirmation_closed, confirmation_expired, stale_preview,
 * arguments_invalid, insufficient_role, insufficient_scope
 */
export const decide = async (deps: Deps, principal: Principal, body: ConfirmRequest): Promise<Decided> => {
  const decided = await deps.db.transaction().execute((trx) => decideInside(deps, trx, principal, body))
  deps.crossing('confirm.after_commit')
  if (!decided.already_decided) tellApproval(deps, decided.status, decided.waited_ms)
  return decided
}
