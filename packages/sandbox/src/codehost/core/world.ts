import type { Workflow, WorkflowRun } from '../actions/runs.js'
import type { Clock } from './clock.js'
import type { GitStore } from './git.js'

export type Permission = 'read' | 'write' | 'admin'

export interface Account {
  id: number
  login: string
  type: 'User' | 'Organization'
  name: string
  email: string | null
  created_at: string
}

export interface Team { id: number, slug: string, name: string, members: Set<number> }

export interface Org {
  account: Account
  members: Map<number, 'admin' | 'member'>
  teams: Team[]
}

export interface Review {
  id: number
  user_id: number
  state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED'
  body: string
  commit_id: string
  submitted_at: string
}

export interface Pull {
  id: number
  number: number
  title: string
  body: string | null
  state: 'open' | 'closed'
  draft: boolean
  user_id: number
  /** repo_id null: the fork was deleted. */
  head: { ref: string, sha: string, repo_id: number | null, owner_id: number }
  base: { ref: string, sha: string }
  labels: string[]
  reviewers: number[]
  /** Teams of the owner that were asked for a review, by slug. */
  teams: string[]
  reviews: Review[]
  mergeable: boolean | null
  merge_commit_sha: string | null
  created_at: string
  updated_at: string
  closed_at: string | null
  merged_at: string | null
  merged_by: number | null
}

/** Issues and pull requests share their numbers. */
export interface Issue {
  id: number
  number: number
  title: string
  body: string | null
  state: 'open' | 'closed'
  user_id: number
  labels: string[]
  created_at: string
  updated_at: string
  closed_at: string | null
}

export interface IssueComment { id: number, body: string, user_id: number, created_at: string }

export interface CheckRun {
  id: number
  name: string
  head_sha: string
  status: 'queued' | 'in_progress' | 'completed'
  conclusion: 'success' | 'failure' | 'neutral' | 'cancelled' | 'skipped' | 'timed_out' | 'action_required' | null
  started_at: string
  completed_at: string | null
}

/** What a service says of a commit by the older API. */
export interface CommitStatus {
  context: string
  sha: string
  state: 'error' | 'failure' | 'pending' | 'success'
  target_url: string | null
}

/** An entry of a repository's activity: a push, a created or a deleted branch. */
export interface RefChange {
  id: number
  ref: string
  before: string
  after: string
  actor_id: number
  at: string
  type: 'push' | 'force_push' | 'branch_creation' | 'branch_deletion' | 'pr_merge'
}

export interface Release { id: number, tag: string, name: string, author_id: number, published_at: string }

export interface Hook { id: number, url: string, secret: string, active: boolean, events: string[] }

export interface Delivery {
  id: number
  guid: string
  hook_id: number
  repository_id: number
  event: string
  action: string | null
  redelivery: boolean
  delivered_at: string
  duration: number
  status: string
  status_code: number
  body: string
}

export interface Repository {
  id: number
  owner_id: number
  name: string
  description: string | null
  private: boolean
  archived: boolean
  fork: boolean
  language: string | null
  default_branch: string
  created_at: string
  updated_at: string
  pushed_at: string | null
  git: GitStore
  branches: Map<string, string>
  tags: Map<string, string>
  pulls: Map<number, Pull>
  issues: Map<number, Issue>
  /** By the number of the issue or pull request, oldest first. */
  comments: Map<number, IssueComment[]>
  /** Permissions beside those from the organization. */
  collaborators: Map<number, Permission>
  /** The permissions of the owner's teams, by slug. */
  teams: Map<string, Permission>
  /** What a branch demands before anything is merged into it. */
  protection: Map<string, { reviews: number, checks: string[] }>
  /** The repository that this one was forked from. */
  parent_id: number | null
  checks: CheckRun[]
  statuses: CommitStatus[]
  changes: RefChange[]
  releases: Release[]
  workflows: Workflow[]
  /** Runs of workflows, oldest first. */
  runs: WorkflowRun[]
  hooks: Hook[]
  /** Earlier names, in lower case: they redirect. */
  formerNames: Set<string>
}

export interface Token {
  token: string
  user_id: number
  scopes: string[]
  client_id: string | null
  expires_at: number | null
  refresh: string | null
  refresh_expires_at: number | null
}

export interface World {
  clock: Clock
  accounts: Map<number, Account>
  orgs: Map<number, Org>
  repositories: Map<number, Repository>
  deliveries: Delivery[]
  nextId: () => number
}

const rank: Record<Permission, number> = { read: 1, write: 2, admin: 3 }

/** @returns the user's permission; undefined = the user cannot see the repository */
export function permissionOf (world: World, repository: Repository, userId: number | undefined):
  Permission | undefined {
  const found: Permission[] = repository.private ? [] : ['read']
  if (userId !== undefined) {
    const org = world.orgs.get(repository.owner_id)
    if (repository.owner_id === userId || org?.members.get(userId) === 'admin') found.push('admin')
    for (const team of org?.teams ?? []) {
      const permission = repository.teams.get(team.slug)
      if (permission && team.members.has(userId)) found.push(permission)
    }
    const own = repository.collaborators.get(userId)
    if (own) found.push(own)
  }
  return found.sort((a, b) => rank[b] - rank[a])[0]
}

export const nextNumber = ({ pulls, issues }: Repository): number => Math.max(0, ...pulls.keys(), ...issues.keys()) + 1

export const fullNameOf = (world: World, { owner_id, name }: Repository): string =>
  `${world.accounts.get(owner_id)?.login}/${name}`

export const accountNamed = (world: World, login: string): Account | undefined =>
  [...world.accounts.values()].find((one) => one.login.toLowerCase() === login.toLowerCase())
