import { Refusal } from '../core/errors.js'
import { invalid } from '../core/errors.js'
import { personOf } from '../core/change.js'
import { accountNamed, nextNumber, type Pull, type Repository, type Review, type World } from '../core/world.js'
import { emit } from '../hooks/deliver.js'
import { pullPayload, reviewPayload, type Stage } from '../hooks/payloads.js'
import { changeRef } from './refs.js'

export interface PullInput {
  title: string
  /** `branch` or `owner:branch`. */
  head: string
  base: string
  body?: string | null | undefined
  draft?: boolean | undefined
}

const forkOf = (world: World, { id }: Repository, login: string): Repository | undefined =>
  [...world.repositories.values()].find((one) =>
    one.parent_id === id && one.owner_id === accountNamed(world, login)?.id)

const complain = (message: string): Refusal => invalid({ resource: 'PullRequest', code: 'custom', message })

/** @throws 422 in the code host's words */
export function openPull (stage: Stage, repository: Repository, { title, head, base, body, draft }: PullInput): Pull {
  const { sandbox: { world }, actor } = stage
  const owner = world.accounts.get(repository.owner_id)?.login ?? ''
  const [prefix, ...named] = head.split(':')
  const branch = named.length > 0 ? named.join(':') : head
  const source = named.length > 0 && prefix !== owner ? forkOf(world, repository, prefix ?? '') : repository
  const [from, to] = [source?.branches.get(branch), repository.branches.get(base)]
  if (from === undefined) throw invalid({ resource: 'PullRequest', field: 'head', code: 'invalid' })
  if (to === undefined) throw invalid({ resource: 'PullRequest', field: 'base', code: 'invalid' })
  if (from === to) throw complain(`No commits between ${base} and ${branch}`)
  const open = [...repository.pulls.values()].some((pull) =>
    pull.state === 'open' && pull.head.ref === branch && pull.head.repo_id === source?.id && pull.base.ref === base)
  if (open) throw complain(`A pull request already exists for ${owner}:${branch}.`)
  const at = world.clock.iso()
  const pull: Pull = {
    id: world.nextId(),
    number: nextNumber(repository),
    title,
    body: body ?? null,
    state: 'open',
    draft: draft ?? false,
    user_id: actor.id,
    head: { ref: branch, sha: from, repo_id: source?.id ?? null, owner_id: source?.owner_id ?? repository.owner_id },
    base: { ref: base, sha: to },
    labels: [],
    reviewers: [],
    teams: [],
    reviews: [],
    mergeable: true,
    merge_commit_sha: null,
    created_at: at,
    updated_at: at,
    closed_at: null,
    merged_at: null,
    merged_by: null
  }
  repository.pulls.set(pull.number, pull)
  emit(stage.sandbox, repository, 'pull_request', pullPayload(stage, repository, pull, 'opened'))
  return pull
}

/** Merges with a merge commit. @throws 405 when it is not open or not mergeable */
export function mergePull (stage: Stage, repository: Repository, pull: Pull): string {
  const { sandbox: { world }, actor } = stage
  if (pull.state !== 'open' || pull.mergeable === false) throw new Refusal(405, 'Pull Request is not mergeable')
  const at = world.clock.iso()
  const before = repository.branches.get(pull.base.ref) ?? pull.base.sha
  const [base, head] = [repository.git.filesOf(pull.base.sha), repository.git.filesOf(pull.head.sha)]
  const files = new Map([...repository.git.filesOf(before), ...head])
  for (const path of base.keys()) if (!head.has(path)) files.delete(path)
  const person = personOf(world, actor.id, at)
  const message = `Merge pull request #${pull.number} from ${pull.head.ref}\n\n${pull.title}`
  const { sha } = repository.git.writeCommit({
    tree: repository.git.writeTree(files),
    parents: [before, pull.head.sha],
    author: person,
    committer: person,
    message,
    verified: true
  })
  repository.branches.set(pull.base.ref, sha)
  const change = { state: 'closed', merged_at: at, closed_at: at, updated_at: at, merged_by: actor.id } as const
  Object.assign(pull, change, { merge_commit_sha: sha })
  changeRef(stage, repository, `refs/heads/${pull.base.ref}`, before, sha)
  emit(stage.sandbox, repository, 'pull_request', pullPayload(stage, repository, pull, 'closed'))
  return sha
}

/** Closes or reopens; the current state again is no change. */
export function setPullState (stage: Stage, repository: Repository, pull: Pull, state: Pull['state']): void {
  if (pull.state === state || pull.merged_at !== null) return
  const at = stage.sandbox.world.clock.iso()
  Object.assign(pull, { state, updated_at: at, closed_at: state === 'closed' ? at : null })
  const action = state === 'closed' ? 'closed' : 'reopened'
  emit(stage.sandbox, repository, 'pull_request', pullPayload(stage, repository, pull, action))
}

export function reviewPull (stage: Stage, repository: Repository, pull: Pull, state: Review['state'],
  body: string): Review {
  const { sandbox: { world }, actor } = stage
  const at = world.clock.iso()
  const review: Review = {
    id: world.nextId(), user_id: actor.id, state, body, commit_id: pull.head.sha, submitted_at: at
  }
  pull.reviews.push(review)
  // Who answers is not asked any more.
  pull.reviewers = pull.reviewers.filter((id) => id !== actor.id)
  pull.updated_at = at
  emit(stage.sandbox, repository, 'pull_request_review', reviewPayload(stage, repository, pull, review))
  return review
}
