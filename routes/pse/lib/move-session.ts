import type { CheckReport, StandardVerdict } from 'steward-spec-engine/schemas'
import type { Db } from '../../../db/index.js'
import { updateSession, type SessionRow } from '../../../db/pse/sessions.js'
import { updateChecks, type VersionRow } from '../../../db/pse/versions.js'
import { hasRoleOn } from '../../../lib/access/require-access.js'
import { requireOwner, type Principal } from '../../../lib/security/principal.js'
import { InsufficientRole } from '../../../schemas/errors.js'
import type { MoveSpecSession } from '../../../schemas/pse/sessions.js'
import type { SpecReview } from '../../../schemas/pse/versions.js'
import { type Deps, NoVersion, QuestionsOpen, SpecStale, ChecksFailed, ReviewOpen, TargetUnknown } from './errors.js'
import { prepareInputs, storeInputs } from './inputs/add-inputs.js'
import {
  holdSession, requireNotGenerating, requireRevision, requireUnarchived, readVersion
} from './sessions/read-version.js'
import { checkSpec } from './sessions/check-spec.js'

/** How many findings and questions an error lists; the version's checks have all of them. */
const maxNamed = 50

const requirePassed = ({ findings, counts: { error } }: CheckReport): void => {
  if (error === 0) return
  const open = findings.filter(({ severity, status }) => severity === 'error' && status === 'open').slice(0, maxNamed)
  const what = `${error === 1 ? 'One error is' : `${error} errors are`} open`
  throw ChecksFailed(`${what}: edit what they are about, or waive them, and approve again`, {
    errors_open: error,
    findings: open.map(({ rule_id, target, message }) => ({ rule_id, target, message })),
    findings_omitted: error - open.length
  })
}

const nameOf = ({ key, rule_id: rule }: StandardVerdict): string => `STD:${key}:${rule}`

const requireReviewed = ({ standards }: CheckReport): void => {
  const open = standards.filter(({ verdict }) => verdict === 'to_review')
  if (open.length === 0) return
  const questions = open.slice(0, maxNamed).map((one) => ({
    rule_id: nameOf(one), target: one.evidence[0]?.target ?? '', question: one.evidence[0]?.message ?? ''
  }))
  throw ReviewOpen('Answer the questions, and approve again with the rules that you say yes to in reviewed; waive ' +
    'those that do not matter here', { questions, questions_omitted: open.length - questions.length })
}

const unknownRule = (at: number) => {
  const message = 'is no review rule of the standards of the current version'
  const errors = [{ pointer: `/reviewed/${at}`, code: 'target_unknown', message }]
  return TargetUnknown(`/reviewed/${at} ${message}`, { errors })
}

/** @returns the stored answers and the new ones, each once @throws target_unknown */
const withAnswers = ({ reviews, checks }: VersionRow, userId: string, names: readonly string[]): SpecReview[] => {
  const known = new Set((checks?.standards ?? []).filter(({ deterministic }) => !deterministic).map(nameOf))
  const unknown = names.findIndex((name) => !known.has(name))
  if (unknown >= 0) throw unknownRule(unknown)
  const fresh = new Set(names.filter((name) => !reviews.some(({ rule_id: rule }) => rule === name)))
  return [...reviews, ...[...fresh].map((rule_id) => ({ rule_id, user_id: userId, at: new Date().toISOString() }))]
}

/**
 * Checks the version again, because a waiver may have ended since it was made.
 * @param names of the review rules whose questions the person answers with yes
 * @throws checks_failed, review_open, target_unknown
 */
const requireApprovable = async (trx: Db, row: SessionRow, version: number, userId: string,
  names: readonly string[]): Promise<void> => {
  const { workspace_id, id: session_id } = row
  const current = await readVersion(trx, workspace_id, session_id, version)
  const { document, inputs_seq, standards, parent_version: parent } = current
  const base = parent === null ? undefined : (await readVersion(trx, workspace_id, session_id, parent)).document
  const reviews = withAnswers(current, userId, names)
  const of = { workspace_id, session_id, document, inputs_seq, standards, reviews }
  const report = await checkSpec(trx, { ...of, base })
  requirePassed(report)
  requireReviewed(report)
  await updateChecks(trx, workspace_id, session_id, version, report, reviews)
}

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
