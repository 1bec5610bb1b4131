import type { NewActivity } from '../../../../db/codehost/activity.js'
import type { ReportedRepository } from '../../../../db/codehost/reported-repositories.js'
import type { EventRepository, HostRelease, ReleaseEvent, RepositoryEvent } from '../../../../schemas/codehost/events.js'
import { toActivity } from './to-activity.js'
import { parseTime, storable, toMoment } from '../read-host.js'

const timeOf = ({ updated_at: at }: EventRepository): Date => toMoment(at) ?? new Date(0)

/** @returns the repository's record in an event */
export const toReportedRepository = (repository: EventRepository): ReportedRepository => ({
  id: String(repository.id),
  full_name: repository.full_name,
  default_branch: storable(repository.default_branch ?? 'main'),
  private: repository.private ?? false,
  host_updated_at: timeOf(repository)
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
  const at = timeOf(repository)
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
