import type { NewActivity } from '../../../db/codehost/activity.js'
import type { ActivityType } from '../../../schemas/codehost/activity.js'
import type { PullEvent, ReviewEvent } from '../../../schemas/codehost/events.js'
import type { HostPull } from '../../../schemas/codehost/upstream.js'
import { toFact, type Fact } from './fact.js'
import { mustTime } from './read-host.js'

type Pull = Pick<HostPull, 'created_at' | 'updated_at' | 'closed_at' | 'merged_at' | 'html_url'>
type Told = Pick<Fact, 'repo_id' | 'source' | 'raw_event'> & Partial<Fact>

const opened = (number: number, { created_at: at, html_url: url }: Pull, told: Told) =>
  toFact(`pull:${number}:opened`, {
    ...told, type: 'pr_opened', occurred_at: mustTime(at), pull_number: number, html_url: url ?? null
  })

const closed = (number: number, { closed_at: at, merged_at: merged, html_url: url }: Pull, told: Told) =>
  toFact(`pull:${number}:closed:${mustTime(at).toISOString()}`, {
    ...told,
    type: merged ? 'pr_merged' : 'pr_closed',
    occurred_at: mustTime(at),
    pull_number: number,
    html_url: url ?? null
  })

const updated = (number: number, { updated_at: at, html_url: url }: Pull, action: string, told: Told) =>
  toFact(`pull:${number}:${action}:${mustTime(at).toISOString()}`, {
    ...told,
    type: action === 'reopened' ? 'pr_reopened' : 'pr_updated' satisfies ActivityType,
    occurred_at: mustTime(at),
    pull_number: number,
    subject: action,
    html_url: url ?? null
  })

/** @returns what a webhook of a pull request tells */
export const toPullActivity = ({ action, number, pull_request: pull, repository, sender }: PullEvent): NewActivity => {
  const told = {
    repo_id: String(repository.id),
    source: 'webhook',
    raw_event: `pull_request.${action}`,
    actor: sender?.login ?? null
  } as const
  if (action === 'opened') return opened(number, pull, told)
  if (action === 'closed' && pull.closed_at) return closed(number, pull, told)
  return updated(number, pull, action, told)
}

/** @returns what the list of pull requests tells of one: that it was opened, and closed */
export const toListedPullActivity = (repoId: string, pull: HostPull): NewActivity[] => {
  const told = { repo_id: repoId, source: 'backfill', raw_event: 'pull_request' } as const
  return [
    opened(pull.number, pull, { ...told, actor: pull.user?.login ?? null }),
    ...(pull.closed_at ? [closed(pull.number, pull, told)] : [])
  ]
}

/** @returns what a webhook of a review tells; undefined for what is no new review */
export const toReviewActivity = (event: ReviewEvent): NewActivity | undefined => {
  const { action, review, pull_request: pull, repository, sender } = event
  if (action !== 'submitted' || !review.submitted_at) return undefined
  return toFact(`review:${review.id}`, {
    repo_id: String(repository.id),
    type: 'review_submitted',
    source: 'webhook',
    raw_event: `pull_request_review.${action}`,
    actor: review.user?.login ?? sender?.login ?? null,
    occurred_at: mustTime(review.submitted_at),
    pull_number: pull.number,
    subject: review.state.toLowerCase(),
    html_url: review.html_url ?? null
  })
}
