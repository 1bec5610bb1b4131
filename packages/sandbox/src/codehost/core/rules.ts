import { permissionOf, type Pull, type Repository, type World } from './world.js'

const mayWrite = (world: World, repository: Repository, userId: number): boolean =>
  ['write', 'admin'].includes(permissionOf(world, repository, userId) ?? '')

/** @returns what the rules of the base branch say of the reviews; null: they ask for none */
export function reviewDecisionOf (world: World, repository: Repository, pull: Pull) {
  const required = repository.protection.get(pull.base.ref)?.reviews ?? 0
  if (required === 0) return null
  const deciding = pull.reviews.filter(({ state, user_id: id }) =>
    state !== 'COMMENTED' && mayWrite(world, repository, id) && !pull.reviewers.includes(id))
  const last = [...new Map(deciding.map(({ user_id: id, state }) => [id, state])).values()]
  if (last.includes('CHANGES_REQUESTED')) return 'CHANGES_REQUESTED'
  return last.filter((state) => state === 'APPROVED').length >= required ? 'APPROVED' : 'REVIEW_REQUIRED'
}

/** @returns whether it could be merged, in the code host's words */
export function mergeStateOf (world: World, repository: Repository, pull: Pull) {
  if (pull.state !== 'open' || pull.mergeable === null) return 'unknown'
  if (pull.mergeable === false) return 'dirty'
  if (pull.draft) return 'draft'
  const { sha } = pull.head
  const runs = repository.checks.filter((check) => check.head_sha === sha)
  const passed = (name: string) => runs.some((run) => run.name === name && run.conclusion === 'success') ||
    repository.statuses.some((status) => status.sha === sha && status.context === name && status.state === 'success')
  const decision = reviewDecisionOf(world, repository, pull)
  const { checks = [] } = repository.protection.get(pull.base.ref) ?? {}
  if ((decision !== null && decision !== 'APPROVED') || !checks.every(passed)) return 'blocked'
  const isQuiet = runs.every(({ conclusion }) => ['success', 'neutral', 'skipped'].includes(conclusion ?? ''))
  return isQuiet ? 'clean' : 'unstable'
}

/** @returns how the code host calls a person's tie to a repository */
export function associationOf (world: World, repository: Repository, userId: number): string {
  if (repository.owner_id === userId) return 'OWNER'
  if (world.orgs.get(repository.owner_id)?.members.has(userId)) return 'MEMBER'
  if (repository.collaborators.has(userId)) return 'COLLABORATOR'
  const merged = [...repository.pulls.values()].some((pull) => pull.user_id === userId && pull.merged_at !== null)
  return merged ? 'CONTRIBUTOR' : 'NONE'
}
