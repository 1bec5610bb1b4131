import { commitTo, type CommitInput } from '../core/change.js'
import { Refusal } from '../core/errors.js'
import type { RefChange, Repository } from '../core/world.js'
import { emit } from '../hooks/deliver.js'
import { pullPayload, pushPayload, refPayload, type Stage } from '../hooks/payloads.js'

const zero = '0'.repeat(40)

/** Records the change of a ref, updates its pull requests, and delivers webhooks. */
export function changeRef (stage: Stage, repository: Repository, ref: string, before: string, after: string,
  forced = false): void {
  const { sandbox, actor } = stage
  const at = sandbox.world.clock.iso()
  const type: RefChange['type'] = before === zero
    ? 'branch_creation'
    : after === zero ? 'branch_deletion' : forced ? 'force_push' : 'push'
  repository.changes.push({ id: sandbox.world.nextId(), ref, before, after, actor_id: actor.id, at, type })
  if (after !== zero) repository.pushed_at = at
  repository.updated_at = at
  emit(sandbox, repository, 'push', pushPayload(stage, repository, ref, before, after, forced))
  const branch = ref.replace(/^refs\/heads\//, '')
  if (before === zero) emit(sandbox, repository, 'create', refPayload(stage, repository, 'branch', branch))
  if (after === zero) emit(sandbox, repository, 'delete', refPayload(stage, repository, 'branch', branch))
  const parent = sandbox.world.repositories.get(repository.parent_id ?? 0)
  for (const [home, pull] of [repository, parent].flatMap((one) => [...one?.pulls.values() ?? []].map((pull) =>
    [one ?? repository, pull] as const))) {
    if (pull.state !== 'open' || pull.head.repo_id !== repository.id || pull.head.ref !== branch) continue
    if (after === zero) continue
    pull.head.sha = after
    pull.updated_at = at
    emit(sandbox, home, 'pull_request', pullPayload(stage, home, pull, 'synchronize', { before, after }))
  }
}

/** Pushes one commit. @returns its hash */
export function pushCommit (stage: Stage, repository: Repository, input: Omit<CommitInput, 'user_id' | 'at'>): string {
  const before = repository.branches.get(input.branch) ?? zero
  const at = stage.sandbox.world.clock.iso()
  const after = commitTo(stage.sandbox.world, repository, { ...input, user_id: stage.actor.id, at })
  changeRef(stage, repository, `refs/heads/${input.branch}`, before, after)
  return after
}

/** Points a branch at an existing commit. @throws 422 for a commit that is no descendant, unless forced */
export function moveBranch (stage: Stage, repository: Repository, branch: string, sha: string, force: boolean): void {
  const before = repository.branches.get(branch) ?? zero
  if (!repository.git.commits.has(sha)) throw new Refusal(422, 'Object does not exist')
  if (before === sha) return
  const follows = before === zero || repository.git.history(sha).some((commit) => commit.sha === before)
  if (!follows && !force) throw new Refusal(422, 'Update is not a fast forward')
  repository.branches.set(branch, sha)
  changeRef(stage, repository, `refs/heads/${branch}`, before, sha, !follows)
}

export function deleteBranch (stage: Stage, repository: Repository, branch: string): void {
  const before = repository.branches.get(branch)
  if (before === undefined) throw new Refusal(422, 'Reference does not exist')
  repository.branches.delete(branch)
  changeRef(stage, repository, `refs/heads/${branch}`, before, zero)
}
