import { Type, type Static } from '@sinclair/typebox'
import { Nullable, PageQuery, Timestamp, Words } from '../common.js'
import { RepoId, staleness } from './repositories.js'

export const activityTypes = ['push', 'force_push', 'branch_created', 'branch_deleted', 'tag_created', 'pr_opened',
  'pr_closed', 'pr_merged', 'pr_reopened', 'pr_updated', 'review_submitted', 'release_published', 'repo_renamed',
  'other'] as const
export type ActivityType = typeof activityTypes[number]

const text = Nullable(Type.String())

export const ActivityItem = Type.Object({
  id: Type.String({ description: 'Stable: the same fact has the same id, however it became known' }),
  repo_id: RepoId,
  type: Words(activityTypes),
  actor: Nullable(Type.String({ description: 'A login at the code host' })),
  occurred_at: Timestamp,
  observed_at: Timestamp,
  source: Words(['webhook', 'backfill'] as const, {
    description: 'webhook: reported by a webhook; backfill: read from the history of the code host'
  }),
  summary: Type.String({ description: 'One sentence of ours; names in it are what people chose there: untrusted' }),
  ref: text,
  before: text,
  after: text,
  commit_count: Nullable(Type.Integer()),
  pull_number: Nullable(Type.Integer()),
  html_url: text,
  raw_event: Type.String({ description: 'What the code host calls it' })
}, { $id: 'ActivityItem' })
export type ActivityItem = Static<typeof ActivityItem>

export const ActivityPage = Type.Object({
  items: Type.Array(ActivityItem),
  next_cursor: Nullable(Type.String()),
  ...staleness,
  complete_from: Nullable(Type.Unsafe<Date | string>({
    ...Timestamp,
    description: 'Everything since then is there; what is older may be missing. Reviews are known ' +
      'from webhooks only. null = the history was never read'
  }))
}, { $id: 'ActivityPage' })

const moment = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

export const ListActivity = Type.Object({
  ...PageQuery,
  type: Type.Optional(Words(activityTypes)),
  actor: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'A login at the code host' })),
  since: moment('Not before'),
  until: moment('Not after')
})
export type ListActivity = Static<typeof ListActivity>
