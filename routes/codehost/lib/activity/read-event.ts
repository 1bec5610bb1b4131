import type { Static, TSchema } from '@sinclair/typebox'
import type { NewActivity } from '../../../../db/codehost/activity.js'
import type { ReportedRepository } from '../../../../db/codehost/reported-repositories.js'
import { compileJson } from '../../../../lib/openapi/json-schemas.js'
import {
  AccessEvent, AuthorizationEvent, EventRepository, PullEvent, PushEvent, ReleaseEvent, RepositoryEvent, ReviewEvent
} from '../../../../schemas/codehost/events.js'
import { ApiError } from '../../../../schemas/errors.js'
import { toPullActivity, toReviewActivity } from './to-pull-activity.js'
import type { PushNotice } from '../../../../schemas/deployments/pushes.js'
import { noticeOf, toPushActivity } from './to-push-activity.js'
import { toReleaseActivity, toRepositoryActivity, toReportedRepository } from './to-repository-activity.js'

/** The consequences of an event. */
export interface Consequences {
  activity?: NewActivity[]
  push?: Required<PushNotice> | undefined
  /** The stored rights to drop: those to a repository, or to all repositories of an owner. */
  lostAccess?: { repo_id: string } | { owner: string }
  /** The id of the account whose grant is to be checked, because its owner revoked it. */
  endedBy?: string
}

type Reader = (payload: Record<string, unknown>, workspaceId: string) => Consequences | 'shape_mismatch'

/** The name of an event is not signed: a body that does not match the event has no consequences. */
const reads = <T extends TSchema>(shape: T,
  toConsequences: (event: Static<T>, workspaceId: string) => Consequences): Reader => {
  const fits = compileJson(shape)
  return (payload: unknown, workspaceId) => {
    if (!fits(payload)) return 'shape_mismatch'
    try {
      return toConsequences(payload, workspaceId)
    } catch (error) {
      // An invalid time.
      if (error instanceof ApiError) return 'shape_mismatch'
      throw error
    }
  }
}

const activityOf = (item: NewActivity | undefined): Consequences => item ? { activity: [item] } : {}

const hides = new Set(['privatized', 'publicized', 'deleted', 'transferred', 'archived', 'unarchived'])

const access = reads(AccessEvent, ({ repository, organization, installation }) => {
  if (repository) return { lostAccess: { repo_id: String(repository.id) } }
  const owner = organization?.login ?? installation?.account?.login
  return owner ? { lostAccess: { owner } } : {}
})

const authorization = reads(AuthorizationEvent, ({ action, sender }): Consequences =>
  action === 'revoked' ? { endedBy: String(sender.id) } : {})

const readers: Record<string, Reader> = {
  push: reads(PushEvent, (event, workspaceId) =>
    ({ activity: [toPushActivity(event)], push: noticeOf(workspaceId, event) })),
  pull_request: reads(PullEvent, (event) => activityOf(toPullActivity(event))),
  pull_request_review: reads(ReviewEvent, (event) => activityOf(toReviewActivity(event))),
  release: reads(ReleaseEvent, (event) => activityOf(toReleaseActivity(event))),
  repository: reads(RepositoryEvent, (event) => ({
    ...activityOf(toRepositoryActivity(event)),
    ...(hides.has(event.action) && { lostAccess: { repo_id: String(event.repository.id) } })
  })),
  ping: () => ({}),
  member: access,
  membership: access,
  organization: access,
  team: access,
  team_add: access,
  public: access,
  installation: access,
  installation_repositories: access,
  github_app_authorization: authorization
}

/** @returns the consequences of an event; undefined for an event that we do not read */
export const readEvent = (event: string, payload: Record<string, unknown>, workspaceId: string):
Consequences | 'shape_mismatch' | undefined =>
  Object.hasOwn(readers, event) ? readers[event]?.(payload, workspaceId) : undefined

const isRepository = compileJson(EventRepository)

/** @returns the repository's record in an event, if it has one */
export const repositoryOf = ({ repository }: Record<string, unknown>): ReportedRepository | undefined =>
  isRepository(repository) ? toReportedRepository(repository) : undefined
