import { updateSession, type SessionRow } from '../../../db/pse/sessions.js'
import type { Db } from '../../../db/index.js'
import { hasRoleOn } from '../../../lib/access/role-on.js'
import { requireOwner, type Principal } from '../../../lib/security/principal.js'
import { InsufficientRole } from '../../../schemas/errors.js'
import type { MoveSpecSession } from '../../../schemas/pse/sessions.js'
import { prepareInputs, storeInputs } from './inputs/add-inputs.js'
import { holdSession, requireNotGenerating, requireRevision, requireUnarchived } from './sessions/change-session.js'
import type { Deps } from './deps.js'
import { NoVersion, QuestionsOpen, SpecStale } from './errors.js'
import { requireApprovable } from './require-approvable.js'

/** Requires the role, no open error, blocking question or review, and a version that is not stale. */
const approve = async (trx: Db, row: SessionRow, principal: Principal, reviewed: readonly string[]): Promise<void> => {
  const { project_id } = row
  if (!hasRoleOn(principal, 'admin', { project_id })) {
    throw InsufficientRole('Approving needs the role admin',
      { role: 'admin', ...(project_id && { scope: { project_id } }) })
  }
  if (row.approved) return
  const { current_version: version, blocking } = row
  if (version === null) throw NoVersion()
  requireNotGenerating(row)
  if (row.stale) throw SpecStale()
  if (blocking.length > 0) throw QuestionsOpen(`${blocking.join(', ')} must be answered`, { questions: blocking })
  await requireApprovable(trx, row, version, principal.user_id, reviewed)
  await updateSession(trx, row.workspace_id, row.id, { approved: true, approved_version: version })
}

const archive = async (trx: Db, row: SessionRow, principal: Principal, archives: boolean): Promise<void> => {
  if ((row.state === 'archived') === archives) return
  requireOwner(principal, row)
  requireNotGenerating(row)
  await updateSession(trx, row.workspace_id, row.id, { archived_at: archives ? new Date() : null })
}

const move = async (trx: Db, row: SessionRow, principal: Principal, input: MoveSpecSession): Promise<void> => {
  const { to, reviewed = [] } = input
  if (to === 'archived' || to === 'restored') return archive(trx, row, principal, to === 'archived')
  requireUnarchived(row)
  if (to === 'approved') return approve(trx, row, principal, reviewed)
  if (row.approved) await updateSession(trx, row.workspace_id, row.id, { approved: false })
}

/**
 * Moves a session to another state, or does nothing if it is in that state. Stores a comment as feedback.
 * @throws not_found, stale_revision, not_owner, and moveErrors of errors.ts
 */
export const moveSession = async (deps: Deps, principal: Principal, id: string, input: MoveSpecSession,
  revisions?: number[]): Promise<void> => {
  const text = input.comment?.trim() ?? ''
  const comment = text === '' ? [] : [{ kind: 'feedback' as const, label: input.to, text }]
  const prepared = await prepareInputs(deps, principal, comment)
  await deps.db.transaction().execute(async (trx) => {
    const row = await holdSession(trx, principal.workspace_id, id)
    await requireRevision(trx, row, revisions)
    // An archived session takes no input.
    if (input.to === 'archived' && row.state !== 'archived') await storeInputs(trx, principal, id, prepared)
    await move(trx, row, principal, input)
    if (input.to !== 'archived') await storeInputs(trx, principal, id, prepared)
  })
}
