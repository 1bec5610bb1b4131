import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Nullable } from '../common.js'

/**
 * The fields of the code host's answers that we read; fields that are missing here are not checked. Hosts leave out
 * different fields, so only those that we cannot do without are required.
 */
const maybe = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema))

const text = maybe(Type.String())
const flag = maybe(Type.Boolean())
const HostId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Sha = Type.String({ pattern: '^[0-9a-f]{40,64}$' })

/** An unknown author is null, an empty object, or an account with an id below 1. */
const HostAccount = Type.Object({ id: maybe(Type.Integer()), login: text, type: text })
export type HostAccount = Static<typeof HostAccount>

export const HostRepository = Type.Object({
  id: HostId,
  full_name: Type.String({ pattern: '^[A-Za-z0-9._-]{1,200}/[A-Za-z0-9._-]{1,200}$' }),
  owner: maybe(HostAccount),
  description: text,
  private: flag,
  visibility: text,
  archived: flag,
  fork: flag,
  default_branch: text,
  html_url: text,
  language: text,
  permissions: maybe(Type.Object({ admin: flag, maintain: flag, push: flag })),
  pushed_at: text,
  created_at: text,
  updated_at: text
})
export type HostRepository = Static<typeof HostRepository>
export const HostRepositories = Type.Array(HostRepository)

const Signature = maybe(Type.Object({ name: text, email: text, date: text }))

export const HostCommit = Type.Object({
  sha: Sha,
  html_url: text,
  commit: Type.Object({
    message: text,
    author: Signature,
    committer: Signature,
    tree: maybe(Type.Object({ sha: Sha })),
    verification: maybe(Type.Object({ verified: flag, reason: text }))
  }),
  author: maybe(HostAccount),
  committer: maybe(HostAccount),
  parents: maybe(Type.Array(Type.Object({ sha: Sha })))
})
export type HostCommit = Static<typeof HostCommit>
export const HostCommits = Type.Array(HostCommit)

const FoundCommit = Type.Composite([HostCommit, Type.Object({
  repository: Type.Object({ id: HostId, full_name: Type.String() })
})])
export type FoundCommit = Static<typeof FoundCommit>

export const HostCommitSearch = Type.Object({
  total_count: Type.Integer({ minimum: 0 }),
  incomplete_results: flag,
  items: Type.Array(FoundCommit)
})
export type HostCommitSearch = Static<typeof HostCommitSearch>

const End = Type.Object({
  ref: Type.String(),
  sha: Type.String(),
  repo: maybe(Type.Object({ id: HostId }))
})

export const HostPull = Type.Object({
  id: Type.Integer(),
  /** Its name in GraphQL, where the host has that. */
  node_id: text,
  number: Type.Integer({ minimum: 1 }),
  title: Type.String(),
  body: text,
  state: Type.String(),
  draft: flag,
  user: maybe(HostAccount),
  head: End,
  base: End,
  labels: maybe(Type.Array(Type.Object({ name: text }))),
  requested_reviewers: maybe(Type.Array(HostAccount)),
  requested_teams: maybe(Type.Array(Type.Object({ slug: text, name: text }))),
  mergeable: flag,
  mergeable_state: text,
  created_at: Type.String(),
  updated_at: Type.String(),
  closed_at: text,
  merged_at: text,
  merge_commit_sha: text,
  html_url: text
})
export type HostPull = Static<typeof HostPull>
export const HostPulls = Type.Array(HostPull)

/** `official` is Forgejo's and Gitea's: the review counts for the rules of the branch. */
export const HostReviews = Type.Array(Type.Object({
  user: maybe(HostAccount),
  state: Type.String(),
  dismissed: flag,
  official: flag,
  author_association: text,
  commit_id: text,
  submitted_at: text,
  html_url: text
}))
export type HostReviews = Static<typeof HostReviews>

export const HostCheckRuns = Type.Object({
  check_runs: Type.Array(Type.Object({
    name: text, status: text, conclusion: text, html_url: text, details_url: text
  }))
})
export type HostCheckRuns = Static<typeof HostCheckRuns>

export const HostStatus = Type.Object({
  state: text,
  total_count: maybe(Type.Integer()),
  statuses: maybe(Type.Array(Type.Object({ context: text, state: text, status: text, target_url: text })))
})
export type HostStatus = Static<typeof HostStatus>

const Connection = <T extends TSchema>(node: T) => Type.Object({
  totalCount: Type.Integer(), nodes: Type.Array(Nullable(node))
})

const ReviewNode = Type.Object({
  author: maybe(Type.Object({ login: Type.String() })),
  authorCanPushToRepository: flag,
  state: Type.String(),
  submittedAt: text,
  url: text,
  commit: maybe(Type.Object({ oid: Type.String() }))
})
export type ReviewNode = Static<typeof ReviewNode>

/** A check run has a name, a commit status a context. */
const ContextNode = Type.Object({
  name: text,
  status: text,
  conclusion: text,
  detailsUrl: text,
  permalink: text,
  context: text,
  state: text,
  targetUrl: text,
  isRequired: flag
})
export type ContextNode = Static<typeof ContextNode>

const PullNode = Type.Object({
  headRefOid: text,
  mergeable: text,
  mergeStateStatus: text,
  reviewDecision: text,
  latestOpinionatedReviews: maybe(Connection(ReviewNode)),
  latestReviews: maybe(Connection(ReviewNode)),
  commits: maybe(Type.Object({
    nodes: Type.Array(Nullable(Type.Object({
      commit: Type.Object({
        oid: Type.String(), statusCheckRollup: maybe(Type.Object({ contexts: Connection(ContextNode) }))
      })
    })))
  }))
})
export type PullNode = Static<typeof PullNode>

/** GraphQL answers 200 with errors, each with the path of what is null because of it. */
export const HostPullNodes = Type.Object({
  data: maybe(Type.Object({ nodes: Type.Array(Nullable(PullNode)) })),
  errors: maybe(Type.Array(Type.Object({
    type: text, path: maybe(Type.Array(Type.Union([Type.String(), Type.Integer()])))
  })))
})
export type HostPullNodes = Static<typeof HostPullNodes>

const HostEntry = Type.Object({
  type: Type.String(),
  name: Type.String(),
  path: Type.String(),
  sha: text,
  size: maybe(Type.Integer()),
  html_url: text
})
export type HostEntry = Static<typeof HostEntry>

const HostFile = Type.Composite([HostEntry, Type.Object({ encoding: text, content: text })])
export type HostFile = Static<typeof HostFile>

export const HostContents = Type.Union([Type.Array(HostEntry), HostFile])

export const HostIssue = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  title: Type.String(),
  body: text,
  state: Type.String(),
  user: maybe(HostAccount),
  labels: maybe(Type.Array(Type.Union([Type.String(), Type.Object({ name: text })]))),
  comments: maybe(Type.Integer()),
  pull_request: Type.Optional(Type.Unknown()),
  created_at: Type.String(),
  updated_at: Type.String(),
  closed_at: text,
  html_url: text
})
export type HostIssue = Static<typeof HostIssue>
export const HostIssues = Type.Array(HostIssue)

export const HostComments = Type.Array(Type.Object({
  id: HostId, body: text, user: maybe(HostAccount), created_at: Type.String(), html_url: text
}))

export const HostRef = Type.Object({ ref: Type.String(), object: Type.Object({ sha: Sha }) })
export const HostComparison = Type.Object({ ahead_by: Type.Integer({ minimum: 0 }) })
export const HostTree = Type.Object({ sha: Sha })
/** One level of a tree; git writes the mode of a folder with five digits, hosts with six. */
export const HostTreeEntries = Type.Object({
  tree: Type.Array(Type.Object({ path: Type.String(), mode: Type.String(), sha: maybe(Type.String()) })),
  truncated: flag
})
export type HostTreeEntries = Static<typeof HostTreeEntries>
export const HostGitCommit = Type.Object({
  sha: Sha, message: Type.String(), tree: Type.Object({ sha: Sha }), parents: Type.Array(Type.Object({ sha: Sha }))
})

/** The owner of the token, or the person with a given login. */
export const HostUser = Type.Object({
  id: HostId, login: Type.String({ minLength: 1, maxLength: 255 }), type: text, name: text
})
export type HostUser = Static<typeof HostUser>

/** The membership of a person who was invited and has not accepted is `pending`. */
export const HostMembership = Type.Object({
  state: Type.String(), organization: Type.Optional(Type.Object({ id: Type.Integer() }))
})
export type HostMembership = Static<typeof HostMembership>
