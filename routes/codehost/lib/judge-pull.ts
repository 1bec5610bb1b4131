import type { PullChecks, PullReviews } from '../../../schemas/codehost/pulls.js'
import type { HostCheckRuns, HostReviews, HostStatus } from '../../../schemas/codehost/upstream.js'

/** Forgejo and Gitea say REQUEST_CHANGES. */
export const wordOf = ({ state, dismissed }: HostReviews[number]): string => {
  if (dismissed) return 'DISMISSED'
  return state === 'REQUEST_CHANGES' ? 'CHANGES_REQUESTED' : state
}

// Deleted accounts are not one and the same reviewer.
export const reviewerOf = ({ user }: HostReviews[number], index: number): string =>
  user?.id && user.id > 0 ? String(user.id) : user?.login || `gone ${index}`

export const decisive = new Set(['APPROVED', 'CHANGES_REQUESTED', 'DISMISSED'])
export const passed = new Set(['success', 'neutral', 'skipped'])

/** @returns the decision of the reviews: the last decisive review of each reviewer counts; comments do not */
export const judgeReviews = (reviews: HostReviews, isRequested: boolean): PullReviews => {
  const words = new Map<string, string>()
  for (const [i, review] of reviews.entries()) {
    const word = wordOf(review)
    if (decisive.has(word)) words.set(reviewerOf(review, i), word)
  }
  const count = (word: string) => [...words.values()].filter((one) => one === word).length
  const [approvals, changes] = [count('APPROVED'), count('CHANGES_REQUESTED')]
  const undecided = isRequested ? 'review_required' : null
  const decision = approvals > 0 ? 'approved' : undecided
  return { decision: changes > 0 ? 'changes_requested' : decision, approvals, changes_requested: changes }
}

const stateOf = (total: number, failed: number, pending: number): PullChecks['state'] => {
  if (total === 0) return 'none'
  if (failed > 0) return 'failure'
  return pending > 0 ? 'pending' : 'success'
}

/** @returns the state of check runs and commit statuses; the statuses count as one, which the host summarizes */
export const judgeChecks = (runs: HostCheckRuns['check_runs'], status: HostStatus): PullChecks => {
  const running = runs.filter((run) => run.status !== 'completed').length
  const broken = runs.filter((run) => run.status === 'completed' && !passed.has(run.conclusion ?? '')).length
  const one = (status.total_count ?? 0) > 0 ? 1 : 0
  const total = runs.length + one
  const failed = broken + (one && /^(failure|error)$/.test(status.state ?? '') ? 1 : 0)
  const pending = running + (one && status.state === 'pending' ? 1 : 0)
  return { state: stateOf(total, failed, pending), total, failed, pending }
}
