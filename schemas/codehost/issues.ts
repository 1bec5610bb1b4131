import { Type, type Static } from '@sinclair/typebox'
import { Defaulted, Nullable, PageQuery, Timestamp, Words } from '../common.js'
import { hostPage, RepoId, staleness } from './repositories.js'

export const IssueParams = Type.Object({
  repo_id: RepoId, number: Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
})

export const Issue = Type.Object({
  repo_id: RepoId,
  number: Type.Integer(),
  title: Type.String(),
  body: Nullable(Type.String({ description: 'At most 64 KiB' })),
  body_truncated: Type.Boolean(),
  state: Words(['open', 'closed'] as const),
  is_pull: Type.Boolean(),
  author: Nullable(Type.String()),
  labels: Type.Array(Type.String()),
  comments: Nullable(Type.Integer()),
  created_at: Timestamp,
  updated_at: Timestamp,
  closed_at: Nullable(Timestamp),
  html_url: Nullable(Type.String()),
  ...staleness
}, { $id: 'Issue' })
export type Issue = Static<typeof Issue>

export const ListIssueComments = Type.Object(PageQuery)

export const IssueComment = Type.Object({
  id: Type.String(),
  author: Nullable(Type.String()),
  body: Type.String({ description: 'At most 64 KiB' }),
  body_truncated: Type.Boolean(),
  created_at: Timestamp,
  html_url: Nullable(Type.String())
}, { $id: 'IssueComment' })
export type IssueComment = Static<typeof IssueComment>
export const IssueCommentPage = hostPage(IssueComment, 'IssueCommentPage')

export const CreateIssue = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 250, pattern: '\\S' }),
  body: Defaulted(Type.String({ maxLength: 60_000, default: '' })),
  key: Type.String({
    pattern: '^[A-Za-z0-9_-]{8,100}$',
    examples: ['release-2-4-notes'],
    description: 'Names the issue for good: there is at most one with the key'
  })
}, { $id: 'CreateIssue', additionalProperties: false })
export type CreateIssue = Static<typeof CreateIssue>

export const CreatedIssue = Type.Object({
  outcome: Words(['created', 'unchanged'] as const), issue: Issue
}, { $id: 'CreatedIssue' })
export type CreatedIssue = Static<typeof CreatedIssue>
