import type { NewActivity } from '../../../db/codehost/activity.js'
import type { ReportedRepository } from '../../../db/codehost/reported-repositories.js'
import type { EventRepository, HostRelease, ReleaseEvent, RepositoryEvent } from '../../../schemas/codehost/events.js'
import { toFact } from './fact.js'
import { mustTime, storable, toMoment } from './read-host.js'

const timeOf = ({ updated_at: at }: EventRepository): Date => toMoment(at) ?? new Date(0)

/** @returns the record of a repository as an event carries it */
export const toldOf = (repository: EventRepository): ReportedRepository => ({
  id: String(repository.id),
  full_name: repository.full_name,
  default_branch: storable(repository.default_branch ?? 'main'),
  private: repository.private ?? false,
  host_updated_at: timeOf(repository)
})

const release = (repoId: string, told: HostRelease, source: 'webhook' | 'backfill', actor: string | null) =>
  toFact(`release:${told.id}`, {
    repo_id: repoId,
    type: 'release_published',
    source,
    raw_event: source === 'webhook' ? 'release.published' : 'release',
    actor: told.author?.login ?? actor,
    occurred_at: mustTime(told.published_at),
    ref: `refs/tags/${told.tag_name}`,
    subject: told.tag_name,
    html_url: told.html_url ?? null
  })

/** @returns what a webhook of a release tells; undefined for what publishes none */
export const toReleaseActivity = (
  { action, release: told, repository, sender }: ReleaseEvent
): NewActivity | undefined =>
  action === 'published' && told.published_at
    ? release(String(repository.id), told, 'webhook', sender?.login ?? null)
    : undefined

/** @returns what the list of releases tells; a draft is not published */
export const toListedReleaseActivity = (repoId: string, told: HostRelease): NewActivity[] =>
  told.published_at && !told.draft ? [release(repoId, told, 'backfill', null)] : []

/** @returns what a webhook tells that has changed of the repository itself */
export const toRepositoryActivity = ({ action, repository, sender, changes }: RepositoryEvent): NewActivity => {
  const at = timeOf(repository)
  const from = changes?.repository?.name?.from
  return toFact(`repository:${action}:${at.toISOString()}`, {
    repo_id: String(repository.id),
    type: action === 'renamed' ? 'repo_renamed' : 'other',
    source: 'webhook',
    raw_event: `repository.${action}`,
    actor: sender?.login ?? null,
    occurred_at: at,
    subject: action === 'renamed' ? `${from ?? ''} ${repository.full_name}`.trim() : action
  })
}
