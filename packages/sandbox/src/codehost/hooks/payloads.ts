import type { Account, Pull, Repository, Review } from '../core/world.js'
import { fullNameOf } from '../core/world.js'
import type { Sandbox } from '../sandbox.js'
import { showFullPull } from '../rest/pull-views.js'
import { showAccount, showRepository } from '../rest/views.js'
import { changesOf } from '../rest/changes.js'

/** The actor, and the sandbox's address in the request. */
export interface Stage { sandbox: Sandbox, origin: string, actor: Account }

const zero = '0'.repeat(40)
const shownCommits = 20

const contextOf = ({ sandbox: { world }, origin }: Stage) => ({ world, origin })

/** The common members of all payloads. */
export function common (stage: Stage, repository: Repository) {
  const { sandbox: { world } } = stage
  const owner = world.accounts.get(repository.owner_id)
  return {
    repository: showRepository(contextOf(stage), repository),
    ...(owner?.type === 'Organization' && { organization: { ...showAccount(stage, owner), description: null } }),
    sender: showAccount(stage, stage.actor)
  }
}

function showHookCommit (stage: Stage, repository: Repository, sha: string) {
  const commit = repository.git.commits.get(sha)
  if (!commit) return null
  const { files } = changesOf(repository, commit)
  const named = (status: string) => files.filter((file) => file.status === status).map(({ filename }) => filename)
  const person = ({ name, email, date }: typeof commit.author) => ({ name, email, date })
  return {
    id: sha,
    tree_id: commit.tree,
    distinct: true,
    message: commit.message,
    timestamp: commit.committer.date,
    url: `${stage.origin}/${fullNameOf(stage.sandbox.world, repository)}/commit/${sha}`,
    author: person(commit.author),
    committer: person(commit.committer),
    added: named('added'),
    removed: named('removed'),
    modified: named('modified')
  }
}

export function pushPayload (stage: Stage, repository: Repository, ref: string, before: string, after: string,
  forced = false) {
  const { git } = repository
  // The push of a new branch lists the commits that the default branch lacks.
  const since = before === zero ? repository.branches.get(repository.default_branch) : before
  const known = new Set(since === undefined || since === after ? [] : git.history(since).map(({ sha }) => sha))
  const commits = after === zero ? [] : git.history(after).filter(({ sha }) => !known.has(sha)).reverse()
  const name = fullNameOf(stage.sandbox.world, repository)
  const { login, email } = stage.actor
  const rest = common(stage, repository)
  return {
    ref,
    before,
    after,
    ...rest,
    repository: {
      ...rest.repository,
      // The code host sends the times of a push in seconds.
      created_at: Date.parse(repository.created_at) / 1000,
      pushed_at: Math.floor(Date.parse(repository.pushed_at ?? repository.created_at) / 1000)
    },
    pusher: { name: login, email },
    created: before === zero,
    deleted: after === zero,
    forced,
    base_ref: null,
    compare: `${stage.origin}/${name}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    commits: commits.slice(-shownCommits).map(({ sha }) => showHookCommit(stage, repository, sha)),
    head_commit: after === zero ? null : showHookCommit(stage, repository, after)
  }
}

export const pullPayload = (stage: Stage, repository: Repository, pull: Pull, action: string,
  extra: Record<string, unknown> = {}) => ({
  action,
  number: pull.number,
  pull_request: showFullPull(contextOf(stage), repository, pull),
  ...extra,
  ...common(stage, repository)
})

export function reviewPayload (stage: Stage, repository: Repository, pull: Pull, review: Review) {
  const user = stage.sandbox.world.accounts.get(review.user_id)
  const url = `${stage.origin}/${fullNameOf(stage.sandbox.world, repository)}/pull/${pull.number}`
  return {
    action: 'submitted',
    review: {
      id: review.id,
      user: user ? showAccount(stage, user) : null,
      body: review.body,
      commit_id: review.commit_id,
      submitted_at: review.submitted_at,
      state: review.state.toLowerCase(),
      html_url: `${url}#pullrequestreview-${review.id}`
    },
    pull_request: showFullPull(contextOf(stage), repository, pull),
    ...common(stage, repository)
  }
}

export const refPayload = (stage: Stage, repository: Repository, type: 'branch' | 'tag', ref: string) => ({
  ref,
  ref_type: type,
  master_branch: repository.default_branch,
  description: repository.description,
  pusher_type: 'user',
  ...common(stage, repository)
})

export const pingPayload = (stage: Stage, repository: Repository, hookId: number) => ({
  zen: 'Keep it logically awesome.',
  hook_id: hookId,
  hook: { type: 'Repository', id: hookId, name: 'web', active: true, events: ['*'] },
  ...common(stage, repository)
})
