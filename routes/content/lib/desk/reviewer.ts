import { lockContent, updateContent, type ContentRow } from '../../../../db/content/contents.js'
import { insertReviewNotice } from '../../../../db/content/threads.js'
import type { Db } from '../../../../db/index.js'
import { hasRoleOn } from '../../../../lib/access/require-access.js'
import { listMembersOf } from '../../../../lib/account/approvers.js'
import { findPerson } from '../../../../lib/account/people.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { ContentReviewer, ReviewNotice, WhyNot } from '../../../../schemas/content/reviewers.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { ContentArchived } from '../errors.js'
import { requireContent, requireVersion } from '../texts/find-content.js'
import { brandOf } from '../brands/read-brand.js'
import { namesOf, NotReviewer, ReviewerNotAllowed } from './comment.js'

type Person = NonNullable<Awaited<ReturnType<typeof findPerson>>>

interface Reviewed { project_id: string, author: string, self_approval: boolean }

/** @returns why a person may not approve; null = they may */
const whyNot = (person: Person | undefined, { project_id, author, self_approval }: Reviewed): WhyNot | null => {
  if (!person) return 'not_in_workspace'
  if (person.status !== 'active') return 'disabled'
  if (!hasRoleOn(person, 'approver', { project_id })) return 'no_role'
  return person.id === author && !self_approval ? 'wrote_it' : null
}

const reasons: Record<WhyNot, string> = {
  not_in_workspace: 'The workspace has no such person',
  disabled: 'The person is disabled',
  no_role: 'The person is no approver in this project',
  wrote_it: 'The person wrote the newest version, and the brand lets no one approve their own'
}

const reviewedOf = async (db: Db, workspaceId: string, row: ContentRow) => {
  const head = await requireVersion(db, workspaceId, row.id, row.head_version)
  const { settings: { approval } } = await brandOf(db, workspaceId, row.project_id)
  return {
    project_id: row.project_id,
    author: head.author,
    self_approval: approval.self_approval,
    isAlone: approval.by_reviewer,
    approvedBy: head.review_state === 'approved' ? head.reviewed_by : null
  }
}

/** As many people as fit into one choice, and of how many they are found. */
const mostCandidates = 100
const mostPeople = 1_000

/**
 * @param name what the names of those who could be asked contain
 * @returns who reviews the record, whether they still could, and who else could. @throws not_found
 */
export const readReviewer = async (db: Db, workspaceId: string, id: string, name?: string):
Promise<ContentReviewer> => {
  const row = await requireContent(db, workspaceId, id)
  const reviewed = await reviewedOf(db, workspaceId, row)
  const person = row.reviewer === null ? undefined : await findPerson(db, workspaceId, row.reviewer)
  const reason = row.reviewer === null ? null : whyNot(person, reviewed)
  const people = await listMembersOf(db, workspaceId, [], mostPeople, name)
  const candidates = people.filter((one) => whyNot(one, reviewed) === null).slice(0, mostCandidates)
  const { approvedBy } = reviewed
  const nameOf = await namesOf(db, workspaceId, [row.reviewer, approvedBy])
  return {
    content_id: id,
    reviewer: row.reviewer === null ? null : nameOf(row.reviewer),
    may_approve: row.reviewer !== null && reason === null,
    why_not: reason,
    decides_alone: reviewed.isAlone,
    approved_by: approvedBy === null ? null : nameOf(approvedBy),
    candidates: candidates.map(({ id, name }) => ({ id, name })),
    revision: row.revision
  }
}

const requireAllowed = async (trx: Db, workspaceId: string, row: ContentRow, userId: string): Promise<void> => {
  const reason = whyNot(await findPerson(trx, workspaceId, userId), await reviewedOf(trx, workspaceId, row))
  if (reason !== null) throw ReviewerNotAllowed(reasons[reason])
}

/** Records what the reviewer is notified of, unless they did it themselves. */
export const notifyReviewer = async (trx: Db, principal: Principal, row: ContentRow, kind: ReviewNotice):
Promise<void> => {
  const { workspace_id: workspaceId, user_id: by } = principal
  if (row.reviewer === null || row.reviewer === by) return
  await insertReviewNotice(trx, workspaceId,
    { content_id: row.id, version: row.head_version, user_id: row.reviewer, kind, caused_by: by })
}

/**
 * Asks a person to review the record, who is notified of it; null = no one any more.
 * @throws not_found, stale_revision, content_archived, reviewer_not_allowed
 */
export const assignReviewer = async (db: Db, principal: Principal, id: string, userId: string | null,
  revisions?: number[]): Promise<ContentReviewer> => {
  const { workspace_id: workspaceId } = principal
  await db.transaction().execute(async (trx) => {
    const row = await lockContent(trx, workspaceId, id)
    if (!row || (revisions && !revisions.includes(row.revision))) throw explainMiss(row)
    if (row.status === 'archived') throw ContentArchived()
    if (row.reviewer === userId) return
    if (userId !== null) await requireAllowed(trx, workspaceId, row, userId)
    await updateContent(trx, workspaceId, id, { reviewer: userId })
    await notifyReviewer(trx, principal, { ...row, reviewer: userId }, 'assigned')
  })
  return readReviewer(db, workspaceId, id)
}

/**
 * Where the brand says so, only the reviewer approves. A reviewer who could not approve any more still keeps
 * others from it: another person is assigned first.
 * @throws not_reviewer
 */
export const requireReviewer = ({ user_id: by }: Principal, { reviewer }: ContentRow, byReviewer: boolean): void => {
  if (!byReviewer || reviewer === null || reviewer === by) return
  throw NotReviewer('The brand lets only the assigned reviewer approve: ask them, or have another one assigned',
    { reviewer })
}
