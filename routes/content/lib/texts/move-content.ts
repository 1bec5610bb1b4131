import {
  findDeleted, lockContent, setArchived, setDeleted, undelete, updateContent, type ContentRow
} from '../../../../db/content/contents.js'
import { setReview, type VersionRow } from '../../../../db/content/versions.js'
import type { Db } from '../../../../db/index.js'
import { requireOwner, type Principal } from '../../../../lib/security/principal.js'
import type { Content, ReviewState as State, TransitionContent } from '../../../../schemas/content/contents.js'
import type { BrandReport } from 'steward-prose-engine/schemas'
import { NotFound } from '../../../../schemas/errors.js'
import { explainMiss, StaleRevision } from '../../../../schemas/revisions.js'
import { checkContent, type Checked, requireContent, requireVersion, readContent } from './find-content.js'
import {
  ChecksFailed, CommentRequired, ContentArchived, ContentIncomplete, ContentLive, ReviewState, SelfApproval
} from '../errors.js'
import { requireReviewer, notifyReviewer } from '../desk/reviewer.js'
import { mapDuplicateSlug } from './write-content.js'

interface Move { row: ContentRow, head: VersionRow, principal: Principal, input: TransitionContent, checked: Checked }

const openErrors = ({ findings }: BrandReport) =>
  findings.filter(({ severity, waived }) => severity === 'error' && !waived)

/** How many findings an answer lists; the version's checks have all of them. */
const maxNamed = 50

/** @throws content_incomplete, which lists the marks of what is still to be written */
export const requireNoMarks = ({ findings }: BrandReport): void => {
  const marks = findings.filter(({ rule_id: rule }) => rule === 'CNT-STR-PLACEHOLDER')
    .map(({ field, start, end, match }) => ({ field, start, end, match }))
  if (marks.length === 0) return
  const what = marks.length === 1 ? 'One mark says' : `${marks.length} marks say`
  throw ContentIncomplete(`${what} that something is missing: write it, or take the mark out`,
    { marks: marks.slice(0, maxNamed), marks_omitted: Math.max(0, marks.length - maxNamed) })
}

/** @throws content_incomplete, and content_checks_failed, which lists the errors */
export const requireNoErrors = (report: BrandReport): void => {
  requireNoMarks(report)
  const findings = openErrors(report)
  if (findings.length === 0) return
  const listed = findings.slice(0, maxNamed)
  const what = findings.length === 1 ? 'One error is' : `${findings.length} errors are`
  throw ChecksFailed(`${what} open: edit the text, or waive the findings that are right as they are`, {
    errors_open: findings.length, findings: listed, findings_omitted: findings.length - listed.length
  })
}

const fromStates: Record<State, State[]> = { draft: ['in_review'], in_review: ['draft'], approved: ['in_review'] }

/** @throws review_state */
export const requireReviewMove = (from: State, to: State): void => {
  if (from !== to && !fromStates[to].includes(from)) throw ReviewState(`It is ${from}, and cannot become ${to}`)
}

const requireComment = ({ input, head, principal }: Move) => {
  if (head.author !== principal.user_id && input.comment === undefined) throw CommentRequired()
}

const requireApprovable = ({ row, head, principal, checked: { brand: { settings }, checks } }: Move) => {
  if (head.author === principal.user_id && !settings.approval.self_approval) throw SelfApproval()
  requireReviewer(principal, row, settings.approval.by_reviewer)
  requireNoErrors(checks)
  if (checks.score < settings.min_score) {
    const { score } = checks
    throw ChecksFailed(`The score is ${score}; the brand asks for ${settings.min_score}`, { score })
  }
}

const guards: Record<State, (move: Move) => void> = {
  draft: requireComment,
  in_review: ({ checked }) => requireNoMarks(checked.checks),
  approved: requireApprovable
}

const review = async (trx: Db, workspaceId: string, move: Move, to: State) => {
  const { row, head, input, principal, checked } = move
  if (row.status === 'archived') throw ContentArchived()
  if (row.review_state === to) return
  requireReviewMove(row.review_state, to)
  guards[to](move)
  const judged = to === 'draft' ? {} : { checks: checked.checks }
  await setReview(trx, workspaceId, row.id, head.version,
    { state: to, comment: input.comment ?? null, by: principal.user_id, ...judged })
  const { score, verdict } = to === 'draft' ? row : checked.checks
  await updateContent(trx, workspaceId, row.id,
    { review_state: to, score, verdict, ...(to === 'approved' && { approved_version: head.version }) })
  if (to !== 'draft') await notifyReviewer(trx, principal, row, to === 'approved' ? 'approved_by_other' : 'in_review')
}

/** Takes back the approval: what is live stays so, and what is scheduled ends without being sent. */
const withdraw = async (trx: Db, workspaceId: string, { row, input, principal }: Move) => {
  const { approved_version: version, head_version: head } = row
  if (version === null) return
  const approved = await requireVersion(trx, workspaceId, row.id, version)
  if (approved.author !== principal.user_id && input.comment === undefined) throw CommentRequired()
  await setReview(trx, workspaceId, row.id, version,
    { state: 'draft', comment: input.comment ?? null, by: principal.user_id })
  await updateContent(trx, workspaceId, row.id,
    { approved_version: null, ...(head === version && { review_state: 'draft' }) })
}

/** @throws content_live */
export const requireNotLive = (row: Pick<ContentRow, 'published_version' | 'scheduled_version'>) => {
  if (row.published_version !== null || row.scheduled_version !== null) throw ContentLive()
}

const archive = async (trx: Db, workspaceId: string, { row, principal, input }: Move) => {
  const archives = input.to === 'archived'
  if ((row.status === 'archived') === archives) return
  requireOwner(principal, row)
  if (archives) requireNotLive(row)
  await setArchived(trx, workspaceId, row.id, archives)
}

const requireMeant = ({ version, to }: TransitionContent, row: ContentRow): void => {
  const meant = to === 'withdrawn' ? row.approved_version : row.head_version
  if (version === undefined || version === meant) return
  const what = to === 'withdrawn' ? 'approved' : 'the newest'
  throw StaleRevision(meant === null ? 'No version is approved' : `Version ${meant} is ${what}`,
    { current: { revision: row.revision } })
}

/**
 * Moves the newest version through its review, or the record into the archive and back.
 * @throws not_found, stale_revision, review_state, content_incomplete, content_checks_failed, comment_required,
 *   self_approval, not_reviewer, content_live
 */
export const transitionContent = async (db: Db, principal: Principal, id: string, input: TransitionContent,
  revisions?: number[]): Promise<Content> => {
  const { workspace_id: workspaceId } = principal
  const before = await requireContent(db, workspaceId, id)
  requireMeant(input, before)
  const judged = await requireVersion(db, workspaceId, id, before.head_version)
  const checked = await checkContent(db, workspaceId, before, judged.body)
  await db.transaction().execute(async (trx) => {
    const row = await lockContent(trx, workspaceId, id)
    if (!row || (revisions && !revisions.includes(row.revision)) || row.head_version !== before.head_version) {
      throw explainMiss(row)
    }
    const head = await requireVersion(trx, workspaceId, id, row.head_version)
    const move = { row, head, principal, input, checked }
    requireMeant(input, row)
    if (input.to === 'archived' || input.to === 'restore') await archive(trx, workspaceId, move)
    else if (input.to === 'withdrawn') await withdraw(trx, workspaceId, move)
    else await review(trx, workspaceId, move, input.to)
  })
  return readContent(db, workspaceId, id)
}

/** @throws not_found, stale_revision, content_live, not_owner */
export const deleteContent = (db: Db, principal: Principal, id: string, revisions?: number[]): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const row = await lockContent(trx, principal.workspace_id, id)
    if (!row || (revisions && !revisions.includes(row.revision))) throw explainMiss(row)
    requireOwner(principal, row)
    requireNotLive(row)
    await setDeleted(trx, principal.workspace_id, id)
  })

/** Rolls back the transaction of a dry run. */
class Undone extends Error {}

/**
 * Restores a record that was deleted within the last 30 days.
 * @param dryRun whether the transaction is rolled back after the read
 * @throws not_found, not_owner, slug_taken
 */
export const undeleteContent = async (db: Db, principal: Principal, id: string, dryRun: boolean): Promise<Content> => {
  const { workspace_id: workspaceId } = principal
  let content: Content | undefined
  await mapDuplicateSlug(db.transaction().execute(async (trx) => {
    const row = await findDeleted(trx, workspaceId, id)
    if (!row) throw NotFound()
    requireOwner(principal, row)
    if (!await undelete(trx, workspaceId, id)) throw NotFound()
    content = await readContent(trx, workspaceId, id)
    if (dryRun) throw new Undone()
  })).catch((error: unknown) => { if (!(error instanceof Undone)) throw error })
  if (!content) throw NotFound()
  return content
}
