import type { NewActivity } from '../../../../db/codehost/activity.js'
import type { ActivityType } from '../../../../schemas/codehost/activity.js'
import type { HostRefChange, PushEvent } from '../../../../schemas/codehost/events.js'
import { toActivity } from './to-activity.js'
import { parseTime, storable, toMoment, toTime } from '../read-host.js'
import type { PushNotice } from '../../../../schemas/deployments/pushes.js'

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
