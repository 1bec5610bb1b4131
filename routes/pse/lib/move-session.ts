import { updateChecks } from '../../../db/pse/versions.js'
import { updateSession, type SessionRow } from '../../../db/pse/sessions.js'
import type { Db } from '../../../db/index.js'
import { hasRole, type Principal } from '../../../plugins/principal.js'
import { InsufficientRole } from '../../../schemas/errors.js'
import type { MoveSpecSession } from '../../../schemas/pse/sessions.js'
import { holdSession, refuseArchived } from './change-session.js'
import { checkSpec } from './check-spec.js'
import { ChecksFailed, GenerationInProgress, NoVersion, QuestionsOpen, SpecStale } from './errors.js'
import { readVersion } from './read-version.js'

/** Checked now, not when it was made: a waiver may have ended since. */
const demandPassed = async (trx: Db, row: SessionRow, version: number): Promise<void> => {
  const { workspace_id, id: session_id } = row
  const current = await readVersion(trx, workspace_id, session_id, version)
  const { document, inputs_seq, standards, parent_version: parent } = current
  const base = parent === null ? undefined : (await readVersion(trx, workspace_id, session_id, parent)).document
  const report = await checkSpec(trx, { workspace_id, session_id, document, inputs_seq, standards, base })
  await updateChecks(trx, workspace_id, session_id, version, report)
  const { error } = report.counts
  const said = error === 1 ? 'One error is' : `${error} errors are`
  if (error > 0) throw ChecksFailed(`${said} open`, { errors_open: error })
}

/** No open error, no blocking question, nothing newer than the version, and the role. */
const approve = async (trx: Db, row: SessionRow, principal: Principal): Promise<void> => {
  if (!hasRole(principal, 'admin')) throw InsufficientRole('Approving needs the role admin', { role: 'admin' })
  if (row.approved) return
  const { current_version: version, blocking } = row
  if (version === null) throw NoVersion()
  if (row.active_generation_id !== null) {
    throw GenerationInProgress(undefined, { generation_id: row.active_generation_id })
  }
  if (row.stale) throw SpecStale()
  if (blocking.length > 0) throw QuestionsOpen(`${blocking.join(', ')} must be answered`, { questions: blocking })
  await demandPassed(trx, row, version)
  await updateSession(trx, row.workspace_id, row.id, { approved: true, approved_version: version })
}

const archive = async (trx: Db, row: SessionRow): Promise<void> => {
  if (row.state === 'archived') return
  if (row.active_generation_id !== null) {
    throw GenerationInProgress(undefined, { generation_id: row.active_generation_id })
  }
  await updateSession(trx, row.workspace_id, row.id, { archived_at: new Date() })
}

/**
 * Moves a session to another state; where it is there already, nothing happens.
 * @throws not_found, and moveErrors of errors.ts
 */
export const moveSession = (db: Db, principal: Principal, id: string, { to }: MoveSpecSession): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const row = await holdSession(trx, principal.workspace_id, id)
    if (to === 'archived') return archive(trx, row)
    if (to === 'restored') return updateSession(trx, row.workspace_id, row.id, { archived_at: null })
    refuseArchived(row)
    if (to === 'approved') return approve(trx, row, principal)
    if (row.approved) await updateSession(trx, row.workspace_id, row.id, { approved: false })
  })
