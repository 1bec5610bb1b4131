import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Nullable, PageQuery, Timestamp, Words } from '../common.js'

/** The code host's numeric id: it survives renames and transfers, and is not used again. */
export const repoIdPattern = '^[1-9][0-9]{0,18}$'
export const RepoId = Type.String({
  pattern: repoIdPattern, examples: ['7001'], description: 'Numeric id of a repository, see listRepositories'
})
export const RepoParams = Type.Object({ repo_id: RepoId })

/** While the code host limits requests, lists show its earlier answer and are marked as stale. */
export const staleness = {
  stale: Type.Boolean({ description: 'true: the code host limits requests, and this is its earlier answer' }),
  as_of: Nullable(Type.Unsafe<Date | string>({
    ...Timestamp, description: 'The time of that answer; null when it is fresh'
  }))
}

export const hostPage = <T extends TSchema>(item: T, $id: string) => Type.Object({
  items: Type.Array(item), next_cursor: Nullable(Type.String()), ...staleness
}, { $id })

export const Repository = Type.Object({
  id: RepoId,
  full_name: Type.String({ description: 'owner/name: it may change, and pass to another repository' }),
  owner: Type.Object({ id: Nullable(Type.String()), login: Type.String(), type: Nullable(Type.String()) }),
  name: Type.String(),
  description: Nullable(Type.String()),
  private: Type.Boolean(),
  archived: Type.Boolean(),
  fork: Type.Boolean(),
  default_branch: Type.String(),
  html_url: Nullable(Type.String()),
  language: Nullable(Type.String()),
  permission: Words(['read', 'write', 'admin'] as const, { description: 'What you may do there' }),
  pushed_at: Nullable(Timestamp),
  updated_at: Nullable(Timestamp),
  sync: Type.Object({
    state: Words(['live', 'backfilling', 'stale', 'disconnected'] as const, {
      description: 'live: a webhook came since the last push; stale: the code host has a push that none reported; ' +
        'disconnected: none ever came'
    }),
    last_event_at: Nullable(Timestamp),
    last_synced_at: Nullable(Timestamp),
    activity_complete_from: Nullable(Timestamp)
  }, { description: 'How far the activity goes that Steward knows of' })
}, { $id: 'Repository' })
export type Repository = Static<typeof Repository>

export const hiddenOrganizations = Type.Array(Type.String(), {
  description: 'Ids of organizations that the code host left out of this page until you sign in to them by SAML'
})

export const RepositoryPage = Type.Object({
  items: Type.Array(Repository),
  next_cursor: Nullable(Type.String()),
  hidden_organizations: hiddenOrganizations,
  ...staleness
}, { $id: 'RepositoryPage' })

export const ListRepositories = Type.Object({
  ...PageQuery,
  full_name: Type.Optional(Type.String({
    pattern: '^[A-Za-z0-9._-]{1,100}/[A-Za-z0-9._-]{1,100}$',
    examples: ['larkspur/web'],
    description: 'Only the one of this name, owner/name'
  })),
  visibility: Type.Optional(Words(['public', 'private'] as const)),
  archived: Type.Optional(Type.Boolean()),
  q: Type.Optional(Type.String({
    minLength: 1, maxLength: 100, description: 'Part of the name or the description, in any case'
  }))
})
export type ListRepositories = Static<typeof ListRepositories>
