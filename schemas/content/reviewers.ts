import { Type, type Static } from '@sinclair/typebox'
import { NameQuery, PersonName } from '../account/users.js'
import { Id, Nullable, Words } from '../common.js'
import { Revision } from '../revisions.js'

export const reviewNotices = ['assigned', 'in_review', 'approved_by_other'] as const
/** What a reviewer is notified of. */
export type ReviewNotice = typeof reviewNotices[number]

export const ReviewerQuery = Type.Object({ q: Type.Optional(NameQuery) })

export const AssignReviewer = Type.Object({
  user_id: Nullable(Type.Unsafe<string>({ ...Id, description: 'A person who may approve; null = no one' }))
}, { $id: 'AssignContentReviewer', additionalProperties: false })
export type AssignReviewer = Static<typeof AssignReviewer>

const whyNot = ['not_in_workspace', 'disabled', 'no_role', 'wrote_it'] as const

export const ContentReviewer = Type.Object({
  content_id: Id,
  reviewer: Nullable(PersonName),
  may_approve: Type.Boolean({ description: 'Whether the person could approve the newest version now' }),
  why_not: Nullable(Words(whyNot)),
  decides_alone: Type.Boolean({ description: 'The brand lets no one else approve: approval.by_reviewer' }),
  approved_by: Nullable(PersonName),
  candidates: Type.Array(PersonName, { description: 'Who could be asked, a hundred at most; `q` narrows them' }),
  revision: Revision
}, { $id: 'ContentReviewer' })
export type ContentReviewer = Static<typeof ContentReviewer>
export type WhyNot = typeof whyNot[number]
