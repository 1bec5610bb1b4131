import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Nullable } from '../common.js'

/**
 * The fields of the code host's events that we read. An event whose body does not match is ignored: the event's name
 * is not signed, so the body decides what it is.
 */
const maybe = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema))

const text = maybe(Type.String())
const flag = maybe(Type.Boolean())
const HostId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Sha = Type.String({ pattern: '^[0-9a-f]{40,64}$' })
const Name = Type.String({ pattern: '^[A-Za-z0-9._-]{1,200}/[A-Za-z0-9._-]{1,200}$' })

const Account = maybe(Type.Object({ login: text, id: maybe(HostId) }))

export const EventRepository = Type.Object({
  id: HostId,
  full_name: Name,
  private: flag,
  default_branch: text,
  updated_at: maybe(Type.Union([Type.String(), Type.Number()])),
  /** In seconds in a push event, else as text. */
  pushed_at: maybe(Type.Union([Type.String(), Type.Number()]))
})
export type EventRepository = Static<typeof EventRepository>

const common = { repository: EventRepository, sender: Account }

const PushCommit = Type.Object({
  message: text,
  timestamp: text,
  added: maybe(Type.Array(Type.String())),
  removed: maybe(Type.Array(Type.String())),
  modified: maybe(Type.Array(Type.String()))
})

export const PushEvent = Type.Object({
  ...common,
  ref: Type.String({ pattern: '^refs/', maxLength: 1_000 }),
  before: Sha,
  after: Sha,
  created: flag,
  deleted: flag,
  forced: flag,
  compare: text,
  pusher: maybe(Type.Object({ name: text })),
  commits: maybe(Type.Array(PushCommit)),
  head_commit: maybe(PushCommit)
})
export type PushEvent = Static<typeof PushEvent>

export const PullEvent = Type.Object({
  ...common,
  action: Type.String(),
  number: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
  pull_request: Type.Object({
    html_url: text,
    created_at: Type.String(),
    updated_at: Type.String(),
    closed_at: text,
    merged_at: text,
    head: maybe(Type.Object({ ref: text, sha: text }))
  })
})
export type PullEvent = Static<typeof PullEvent>

export const ReviewEvent = Type.Object({
  ...common,
  action: Type.String(),
  review: Type.Object({
    id: HostId, state: Type.String(), submitted_at: text, html_url: text, user: Account, commit_id: text
  }),
  pull_request: Type.Object({ number: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) })
})
export type ReviewEvent = Static<typeof ReviewEvent>

export const ReleaseEvent = Type.Object({
  ...common,
  action: Type.String(),
  release: Type.Object({
    id: HostId, tag_name: Type.String(), published_at: text, html_url: text, draft: flag, author: Account
  })
})
export type ReleaseEvent = Static<typeof ReleaseEvent>

export const RepositoryEvent = Type.Object({
  ...common,
  action: Type.String(),
  changes: maybe(Type.Object({
    repository: maybe(Type.Object({ name: maybe(Type.Object({ from: Type.String() })) }))
  }))
})
export type RepositoryEvent = Static<typeof RepositoryEvent>

/** Reports that rights have changed; it names the repository or the owner in one of several fields. */
export const AccessEvent = Type.Object({
  repository: maybe(EventRepository),
  organization: maybe(Type.Object({ login: Type.String() })),
  installation: maybe(Type.Object({ account: Account }))
})
export type AccessEvent = Static<typeof AccessEvent>

/** A person has revoked the App's authorization; the body has nothing else, not even the time. */
export const AuthorizationEvent = Type.Object({
  action: Type.String(), sender: Type.Object({ id: HostId })
})
export type AuthorizationEvent = Static<typeof AuthorizationEvent>

/**
 * Events whose body can repeat: a right that is taken, given and taken again gives the same body twice. So an equal
 * body counts as a copy for some minutes only. Processing one twice is harmless.
 */
export const repeatableEvents = ['member', 'membership', 'organization', 'team', 'team_add', 'public', 'installation',
  'installation_repositories', 'github_app_authorization'] as const

/** One change of a ref, in the history of a repository. */
export const HostRefChange = Type.Object({
  before: Sha,
  after: Sha,
  ref: Type.String(),
  timestamp: Type.String(),
  activity_type: Type.String(),
  actor: Account
})
export type HostRefChange = Static<typeof HostRefChange>
export const HostRefChanges = Type.Array(HostRefChange)

export const HostRelease = Type.Object({
  id: HostId, tag_name: Type.String(), published_at: text, html_url: text, draft: flag, author: Account
})
export type HostRelease = Static<typeof HostRelease>
export const HostReleases = Type.Array(HostRelease)

export const HostHooks = Type.Array(Type.Object({
  id: HostId, active: flag, config: maybe(Type.Object({ url: text }))
}))

export const HostDelivery = Type.Object({
  id: HostId,
  guid: Type.String(),
  delivered_at: Type.String(),
  status_code: Type.Number()
})
export type HostDelivery = Static<typeof HostDelivery>
export const HostDeliveries = Type.Array(HostDelivery)
