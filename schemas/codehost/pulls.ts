import { Type, type Static } from '@sinclair/typebox'
import { Defaulted, Nullable, PageQuery, Timestamp, Words } from '../common.js'
import { GitRef } from './commits.js'
import { hostPage, RepoId, staleness } from './repositories.js'

export const mergeStates = ['behind', 'blocked', 'clean', 'dirty', 'draft', 'has_hooks', 'unstable'] as const

export const PullReviews = Type.Object({
  decision: Nullable(Words(['approved', 'changes_requested', 'review_required'] as const, {
    description: 'null: nobody who may decide has, or it is not known whether who did may'
  })),
  decided_by: Words(['code_host', 'count'] as const, {
    description: 'code_host: by the rules of the base branch. count: the code host names no rule, so Steward counts ' +
      'the reviews of people who may write'
  }),
  approvals: Type.Integer({ description: 'Of people who may write to the repository, and were not asked again since' }),
  outdated_approvals: Type.Integer({ description: 'How many of the approvals are of an older commit than the newest' }),
  other_approvals: Type.Integer({
    description: 'Of people who may not write, of whom that is not known, or who were asked again: they decide nothing'
  }),
  changes_requested: Type.Integer({ description: 'Without those of people who may not write' })
}, { $id: 'PullReviews', description: 'The latest review of each reviewer counts; null = not known' })
export type PullReviews = Static<typeof PullReviews>

export const PullChecks = Type.Object({
  state: Words(['success', 'failure', 'pending', 'skipped', 'none'] as const, {
    description: 'success: one has passed and none fails or runs; whether others are required says merge_state. ' +
      'skipped: there are some, and none judged. none: nothing checks its head'
  }),
  total: Type.Integer({ description: 'Check runs and commit statuses' }),
  failed: Type.Integer(),
  pending: Type.Integer(),
  skipped: Type.Integer({ description: 'They did not run, or do not judge' })
}, { $id: 'PullChecks', description: 'What checks the newest commit; null = not known' })
export type PullChecks = Static<typeof PullChecks>

export const PullRequest = Type.Object({
  id: Type.String(),
  number: Type.Integer(),
  repo_id: RepoId,
  title: Type.String(),
  body_excerpt: Nullable(Type.String({ description: 'The first 500 characters' })),
  state: Words(['open', 'closed', 'merged'] as const, { description: 'closed: without being merged' }),
  draft: Type.Boolean(),
  author: Nullable(Type.String()),
  head: Type.Object({
    ref: Type.String(), sha: Type.String(), repo_id: Nullable(Type.String({ description: 'null: the fork is gone' }))
  }),
  base: Type.Object({ ref: Type.String(), sha: Type.String() }),
  labels: Type.Array(Type.String()),
  requested_reviewers: Type.Array(Type.String()),
  requested_teams: Type.Array(Type.String({ description: 'The slug of a team' })),
  mergeable: Nullable(Type.Boolean({
    description: 'false: it conflicts with the base; null: the code host has not said'
  })),
  merge_state: Nullable(Words(mergeStates, {
    description: 'The code host\'s own word. blocked: a required review or check is missing; unstable: a check ' +
      'that is not required fails or runs; null: it has not said, or the pull request has ended'
  })),
  reviews: Nullable(PullReviews),
  checks: Nullable(PullChecks),
  created_at: Timestamp,
  updated_at: Timestamp,
  closed_at: Nullable(Timestamp),
  merged_at: Nullable(Timestamp),
  merge_commit_sha: Nullable(Type.String({
    description: 'The commit of the base branch as which it was merged: a merge, or all of it in one; null: not merged'
  })),
  html_url: Nullable(Type.String())
}, { $id: 'PullRequest' })
export type PullRequest = Static<typeof PullRequest>

export const PullCheck = Type.Object({
  name: Type.String(),
  state: Words(['success', 'failure', 'pending', 'skipped'] as const, {
    description: 'skipped: it did not run, or does not judge'
  }),
  required: Nullable(Type.Boolean({ description: 'The base branch demands it; null: not known' })),
  html_url: Nullable(Type.String())
}, { $id: 'PullCheck' })
export type PullCheck = Static<typeof PullCheck>

export const PullReview = Type.Object({
  reviewer: Nullable(Type.String({ description: 'A login at the code host; null: the account is gone, or a team' })),
  team: Nullable(Type.String({ description: 'The slug of a team that was asked' })),
  verdict: Words(['approved', 'changes_requested', 'dismissed', 'commented', 'requested'] as const, {
    description: 'The latest that decides; commented: none decides; requested: the person was asked and said nothing'
  }),
  commit: Nullable(Type.String({ description: 'The commit that was reviewed; null: not known' })),
  outdated: Nullable(Type.Boolean({ description: 'It is not of the newest commit; null: not known' })),
  asked_again: Type.Boolean({ description: 'The person was asked for another review since' }),
  may_write: Nullable(Type.Boolean({ description: 'Only reviews of people who may write count; null: not known' })),
  submitted_at: Nullable(Timestamp),
  html_url: Nullable(Type.String())
}, { $id: 'PullReview' })
export type PullReview = Static<typeof PullReview>

export const PullParams = Type.Object({
  repo_id: RepoId, number: Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
})

export const PullDetail = Type.Object({
  pull: PullRequest,
  checks: Nullable(Type.Array(PullCheck, { description: 'Of the newest commit; null: the code host did not say' })),
  reviews: Nullable(Type.Array(PullReview, { description: 'One for each person; null: the code host did not say' })),
  ...staleness
}, { $id: 'PullDetail' })
export type PullDetail = Static<typeof PullDetail>

export const PullPage = hostPage(PullRequest, 'PullPage')

export const ListPulls = Type.Object({
  ...PageQuery,
  state: Words(['open', 'closed', 'merged', 'all'] as const, {
    default: 'open', description: 'closed: without being merged'
  }),
  base: Type.Optional(Type.Unsafe<string>({ ...GitRef, description: 'Into this branch' })),
  head: Type.Optional(Type.String({
    minLength: 1, maxLength: 300, description: 'From this branch; of a fork: owner:branch'
  })),
  author: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'A login at the code host' }))
})
export type ListPulls = Static<typeof ListPulls>

export const PullFile = Type.Object({
  path: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '^(?!/)(?!.*(^|/)(\\.{1,2}|\\.[gG][iI][tT])(/|$))(?!.*//)[^\\x00-\\x1f\\x7f\\\\]+(?<!/)$',
    examples: ['docs/spec.md'],
    description: 'From the root of the repository, such as docs/spec.md'
  }),
  content: Nullable(Type.String({ maxLength: 500_000, description: 'The whole file as text; null removes it' }))
}, { $id: 'PullFile', additionalProperties: false })

export const ExpectedHead = Type.Optional(Nullable(Type.String({
  pattern: '^[0-9a-f]{7,64}$',
  examples: ['4f2a9c1'],
  description: 'Only if the branch is still at this commit; null: only if there is none yet'
})))

export const OpenPull = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 250, pattern: '\\S' }),
  body: Defaulted(Type.String({ maxLength: 60_000, default: '' })),
  base: Type.Optional(Type.Unsafe<string>({
    ...GitRef, description: 'The branch to merge into; default: the default branch'
  })),
  head: Type.Unsafe<string>({ ...GitRef, description: 'The branch that is made, or that an earlier call made' }),
  files: Type.Array(PullFile, { minItems: 1, maxItems: 50 }),
  commit_message: Type.Optional(Type.String({
    minLength: 1, maxLength: 5_000, pattern: '\\S', description: 'Default: the title'
  })),
  draft: Defaulted(Type.Boolean({ default: false })),
  expected_head: ExpectedHead
}, { $id: 'OpenPull', additionalProperties: false })
export type OpenPull = Static<typeof OpenPull>

export const OpenedPull = Type.Object({
  outcome: Words(['opened', 'updated', 'unchanged'] as const),
  commit: Type.String({ description: 'Hash of the commit that holds the files' }),
  pull: PullRequest
}, { $id: 'OpenedPull' })
export type OpenedPull = Static<typeof OpenedPull>
