import { notFound } from '../core/errors.js'
import { ok, operation, repositoryOf, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import { fullNameOf } from '../core/world.js'
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

/** The older API of commit statuses: without any status it answers pending, as the code host does. */
function combinedStatus (call: Call) {
  const { sha } = checksOf(call)
  return ok({ state: 'pending', statuses: [], sha, total_count: 0 })
}

export const checkOperations = [
  operation('listCheckRuns', 'GET', '{repo}/commits/{ref*}/check-runs', listCheckRuns, { auth: 'any' }),
  operation('getCombinedStatus', 'GET', '{repo}/commits/{ref*}/status', combinedStatus, { auth: 'any' })
]
