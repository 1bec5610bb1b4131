import { notFound } from '../core/errors.js'
import { operation, repositoryOf, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import { fullNameOf, type CommitStatus, type Repository } from '../core/world.js'
import { resolveRef } from './commits.js'

function checksOf (call: Call) {
  const repository = repositoryOf(call)
  const sha = resolveRef(repository, call.params.ref ?? '')
  if (!sha) throw notFound()
  return { repository, sha, checks: repository.checks.filter(({ head_sha }) => head_sha === sha) }
}

function listCheckRuns (call: Call) {
  const { repository, checks } = checksOf(call)
  const html = `${call.origin}/${fullNameOf(call.sandbox.world, repository)}/runs`
  const runs = checks.map((check) => ({
    ...check,
    html_url: `${html}/${check.id}`,
    app: { id: 15368, slug: 'github-actions', name: 'GitHub Actions' },
    output: { title: null, summary: null, annotations_count: 0 }
  }))
  return page(call, runs, (slice) => ({ total_count: runs.length, check_runs: slice }))
}

const stateOf = (states: string[]): string => {
  if (states.some((state) => state === 'failure' || state === 'error')) return 'failure'
  return states.length === 0 || states.includes('pending') ? 'pending' : 'success'
}

/** The last word of each service counts. */
export const latestStatuses = ({ statuses }: Repository, sha: string): CommitStatus[] =>
  [...new Map(statuses.filter((status) => status.sha === sha).map((status) => [status.context, status])).values()]

/** The older API of commit statuses: without any status it answers pending, as the code host does. */
function combinedStatus (call: Call) {
  const { repository, sha } = checksOf(call)
  const latest = latestStatuses(repository, sha)
  const state = stateOf(latest.map((status) => status.state))
  return page(call, latest.map(({ sha: _, ...status }) => status), (statuses) =>
    ({ state, statuses, sha, total_count: latest.length }))
}

export const checkOperations = [
  operation('listCheckRuns', 'GET', '{repo}/commits/{ref*}/check-runs', listCheckRuns, { auth: 'any' }),
  operation('getCombinedStatus', 'GET', '{repo}/commits/{ref*}/status', combinedStatus, { auth: 'any' })
]
