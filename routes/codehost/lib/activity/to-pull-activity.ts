import type { NewActivity } from '../../../../db/codehost/activity.js'
import type { ActivityType } from '../../../../schemas/codehost/activity.js'
import type { PullEvent, ReviewEvent } from '../../../../schemas/codehost/events.js'
import type { HostPull } from '../../../../schemas/codehost/upstream.js'
import { toActivity, type ActivityInput } from './to-activity.js'
import { parseTime } from '../read-host.js'

type Pull = Pick<HostPull, 'created_at' | 'updated_at' | 'closed_at' | 'merged_at' | 'html_url'>
type ActivityBase = Pick<ActivityInput, 'repo_id' | 'source' | 'raw_event'> & Partial<ActivityInput>

const opened = (number: number, { created_at: at, html_url: url }: Pull, base: ActivityBase) =>
  toActivity(`pull:${number}:opened`, {
    ...base, type: 'pr_opened', occurred_at: parseTime(at), pull_number: number, html_url: url ?? null
  })

const closed = (number: number, { closed_at: at, merged_at: merged, html_url: url }: Pull, base: ActivityBase) =>
  toActivity(`pull:${number}:closed:${parseTime(at).toISOString()}`, {
    ...base,
    type: merged ? 'pr_merged' : 'pr_closed',
    occurred_at: parseTime(at),
    pull_number: number,
    html_url: url ?? null
  })

const updated = (number: number, { updated_at: at, html_url: url }: Pull, action: string, base: ActivityBase) =>
  toActivity(`pull:${number}:${action}:${parseTime(at).toISOString()}`, {
    ...base,
    type: action === 'reopened' ? 'pr_reopened' : 'pr_updated' satisfies ActivityType,
    occurred_at: parseTime(at),
    pull_number: number,
    subject: action,
    html_url: url ?? null
  })

/** @returns the activity that a pull request's webhook reports */
export const toPullActivity = ({ action, number, pull_request: pull, repository, sender }: PullEvent): NewActivity => {
  const base = {
    repo_id: String(repository.id),
    source: 'webhook',
    raw_event: `pull_request.${action}`,
    actor: sender?.login ?? null
  } as const
  if (action === 'opened') return opened(number, pull, base)
  if (action === 'closed' && pull.closed_at) return closed(number, pull, base)
  return updated(number, pull, action, base)
}

/** @returns the activity of a listed pull request: that it was opened, and closed */
export const toListedPullActivity = (repoId: string, pull: HostPull): NewActivity[] => {
  const base = { repo_id: repoId, source: 'backfill', raw_event: 'pull_request' } as const
  return [
    opened(pull.number, pull, { ...base, actor: pull.user?.login ?? null }),
    ...(pull.closed_at ? [closed(pull.number, pull, base)] : [])
  ]
}

/** @returns the activity that a review's webhook reports; undefined unless the review is new */
export const toReviewActivity = (event: ReviewEvent): NewActivity | undefined => {
  const { action, review, pull_request: pull, repository, sender } = event
  if (action !== 'submitted' || !review.submitted_at) return undefined
  return toActivity(`review:${review.id}`, {
    repo_id: String(repository.id),
    type: 'review_submitted',
    source: 'webhook',
    raw_event: `pull_request_review.${action}`,
    actor: review.user?.login ?? sender?.login ?? null,
    occurred_at: parseTime(review.submitted_at),
    pull_number: pull.number,
    subject: review.state.toLowerCase(),
    html_url: review.html_url ?? null
  })
}
