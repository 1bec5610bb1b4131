import { createHash } from 'node:crypto'
import type { NewActivity } from '../../../../db/codehost/activity.js'
import type { ReportedRepository } from '../../../../db/codehost/repositories.js'
import { toWebLink } from '../../../../lib/http/addresses.js'
import type { ActivityType } from '../../../../schemas/codehost/activity.js'
import type {
  HostRefChange, PushEvent, EventRepository, HostRelease, ReleaseEvent, RepositoryEvent, PullEvent, ReviewEvent
} from '../../../../schemas/codehost/events.js'
import type { HostPull } from '../../../../schemas/codehost/upstream.js'
import type { PushNotice } from '../../../../schemas/deployments/apps.js'
import { storable, parseTime, toMoment, toTime } from '../read-host.js'

const maxText = 500

const text = (value: string | null | undefined): string | null => value ? storable(value.slice(0, maxText)) : null

const sha256 = (value: string) => createHash('sha256').update(value).digest()

type ActivityInput = Pick<NewActivity, 'type' | 'repo_id' | 'occurred_at' | 'source' | 'raw_event'> &
  Partial<Omit<NewActivity, 'id' | 'digest'>>

/**
 * @param key identifies the activity in its repository; webhook and history give the same key
 * @returns the row
 */
const toActivity = (key: string, input: ActivityInput): NewActivity => {
  const { repo_id: repoId, type, occurred_at: at, source, commit_count: commits, pull_number: pull } = input
  const row = {
    type,
    actor: text(input.actor),
    ref: text(input.ref),
    before: input.before ?? null,
    after: input.after ?? null,
    commit_count: commits ?? null,
    pull_number: pull ?? null,
    subject: text(input.subject),
    html_url: text(toWebLink(input.html_url)),
    raw_event: input.raw_event.slice(0, maxText)
  }
  const id = sha256(`${repoId} ${storable(key)}`).toString('hex').slice(0, 32)
  return { ...row, id, repo_id: repoId, occurred_at: at, source, digest: sha256(JSON.stringify(row)) }
}

const none = /^0+$/

const typeOf = (ref: string, before: string, after: string, forced: boolean): ActivityType => {
  const [created, deleted] = [none.test(before), none.test(after)]
  if (ref.startsWith('refs/tags/')) return created ? 'tag_created' : 'other'
  if (!ref.startsWith('refs/heads/')) return 'other'
  if (created) return 'branch_created'
  if (deleted) return 'branch_deleted'
  return forced ? 'force_push' : 'push'
}

/** A ref's move from one commit to another: webhook and history give the same key. */
const keyOf = (ref: string, before: string, after: string) => `push:${ref}:${before}:${after}`

/** @returns when the push was made, else the time of its head commit */
const timeOf = ({ repository, head_commit: head }: PushEvent): Date => {
  const { pushed_at: pushed, updated_at: updated } = repository
  return toMoment(pushed) ?? toTime(head?.timestamp) ?? toMoment(updated) ?? new Date(0)
}

/** @returns the activity that a push's webhook reports */
export const toPushActivity = (event: PushEvent): NewActivity => {
  const { ref, before, after, repository, commits, sender, pusher } = event
  const moved = !none.test(before) && !none.test(after)
  return toActivity(keyOf(ref, before, after), {
    repo_id: String(repository.id),
    type: typeOf(ref, before, after, event.forced ?? false),
    source: 'webhook',
    raw_event: 'push',
    actor: sender?.login ?? pusher?.name ?? null,
    occurred_at: timeOf(event),
    ref,
    before,
    after,
    commit_count: moved ? commits?.length ?? null : null,
    html_url: event.compare ?? null
  })
}

/** @returns the activity of a change of a ref in the repository's history */
export const toRefActivity = (repoId: string, change: HostRefChange): NewActivity => {
  const { ref, before, after, timestamp, activity_type: type, actor } = change
  return toActivity(keyOf(ref, before, after), {
    repo_id: repoId,
    type: typeOf(ref, before, after, type === 'force_push'),
    source: 'backfill',
    raw_event: type,
    actor: actor?.login ?? null,
    occurred_at: parseTime(timestamp),
    ref,
    before,
    after
  })
}

/** A host lists at most so many commits of a push: 2,048, older hosts 20. Then the list of files is incomplete. */
const commitCaps = new Set([20, 2_048])
const maxPaths = 3_000

const pathsOf = ({ created, forced, commits }: PushEvent): string[] | null => {
  if (created || forced || !commits || commitCaps.has(commits.length)) return null
  if (commits.some(({ added, removed, modified }) => !added || !removed || !modified)) return null
  const paths = new Set(commits.flatMap(({ added, removed, modified }) =>
    [...added ?? [], ...removed ?? [], ...modified ?? []]))
  return paths.size > maxPaths ? null : [...paths].map(storable)
}

const maxMessage = 1_000

/** @returns the push to report to deployments; undefined unless it leads to a commit of a branch */
export const noticeOf = (workspaceId: string, event: PushEvent): Required<PushNotice> | undefined => {
  const { ref, after, repository, head_commit: head } = event
  if (!ref.startsWith('refs/heads/') || none.test(after)) return undefined
  return {
    workspace_id: workspaceId,
    repo: repository.full_name,
    repo_id: String(repository.id),
    branch: storable(ref.slice('refs/heads/'.length)),
    commit: after,
    message: head?.message ? storable(head.message.slice(0, maxMessage)) : null,
    paths: pathsOf(event)
  }
}

const timeOfRepositoryEvent = ({ updated_at: at }: EventRepository): Date => toMoment(at) ?? new Date(0)

/** @returns the repository's record in an event */
export const toReportedRepository = (repository: EventRepository): ReportedRepository => ({
  id: String(repository.id),
  full_name: repository.full_name,
  default_branch: storable(repository.default_branch ?? 'main'),
  private: repository.private ?? false,
  host_updated_at: timeOfRepositoryEvent(repository)
})

const release = (repoId: string, hostRelease: HostRelease, source: 'webhook' | 'backfill', actor: string | null) =>
  toActivity(`release:${hostRelease.id}`, {
    repo_id: repoId,
    type: 'release_published',
    source,
    raw_event: source === 'webhook' ? 'release.published' : 'release',
    actor: hostRelease.author?.login ?? actor,
    occurred_at: parseTime(hostRelease.published_at),
    ref: `refs/tags/${hostRelease.tag_name}`,
    subject: hostRelease.tag_name,
    html_url: hostRelease.html_url ?? null
  })

/** @returns the activity that a release's webhook reports; undefined unless it was published */
export const toReleaseActivity = (
  { action, release: hostRelease, repository, sender }: ReleaseEvent
): NewActivity | undefined =>
  action === 'published' && hostRelease.published_at
    ? release(String(repository.id), hostRelease, 'webhook', sender?.login ?? null)
    : undefined

/** @returns the activity of a listed release; a draft is not published */
export const toListedReleaseActivity = (repoId: string, hostRelease: HostRelease): NewActivity[] =>
  hostRelease.published_at && !hostRelease.draft ? [release(repoId, hostRelease, 'backfill', null)] : []

/** @returns the activity that a webhook reports of the repository itself */
export const toRepositoryActivity = ({ action, repository, sender, changes }: RepositoryEvent): NewActivity => {
  const at = timeOfRepositoryEvent(repository)
  const from = changes?.repository?.name?.from
  return toActivity(`repository:${action}:${at.toISOString()}`, {
    repo_id: String(repository.id),
    type: action === 'renamed' ? 'repo_renamed' : 'other',
    source: 'webhook',
    raw_event: `repository.${action}`,
    actor: sender?.login ?? null,
    occurred_at: at,
    subject: action === 'renamed' ? `${from ?? ''} ${repository.full_name}`.trim() : action
  })
}

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
