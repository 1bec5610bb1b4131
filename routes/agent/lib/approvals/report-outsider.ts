import type { Principal } from '../../../../lib/security/principal.js'
import { refusedAttemptJob, type RefusedAttempt } from '../../../../schemas/channels/refused-attempts.js'
import type { ApiError } from '../../../../schemas/errors.js'
import { messageOf } from '../../../../schemas/thrown.js'
import { ConfirmationNotFound } from '../errors.js'
import type { Deps } from '../run/run-state.js'

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
