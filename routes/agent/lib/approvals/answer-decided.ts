import { findCall, type lockConfirmation } from '../../../../db/agent/confirmations.js'
import type { Db } from '../../../../db/index.js'
import { isSameJson } from '../../../../lib/tools/digest.js'
import type { ConfirmRequest } from '../../../../schemas/agent/confirmations.js'
import type { Decided } from './settle-question.js'
import { ConfirmationClosed, ConfirmationDecided, ConfirmationExpired } from '../errors.js'
import { readGroupNames, readStanding, showStanding } from './standing.js'

export type Locked = NonNullable<Awaited<ReturnType<typeof lockConfirmation>>>
export type Call = NonNullable<Awaited<ReturnType<typeof findCall>>>

export const statusOf = (approved: boolean) => (approved ? ('approved' as const) : ('rejected' as const))

export const shownCall = (call: Call | undefined) =>
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
