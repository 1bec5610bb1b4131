import { Refusal } from '../core/errors.js'
import { ok, operation, repositoryOf, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import { fullNameOf, type Repository } from '../core/world.js'
import { contextOf } from './repositories.js'
import { resolveRef } from './commits.js'
import { changesOf } from './changes.js'
import { showCommit } from './views.js'

const short = ({ origin, sandbox: { world } }: Call, repository: Repository, sha: string) =>
  ({ sha, url: `${origin}/api/v3/repos/${fullNameOf(world, repository)}/commits/${sha}` })

function listBranches (call: Call) {
  const repository = repositoryOf(call)
  const found = [...repository.branches].sort(([a], [b]) => a < b ? -1 : 1)
  return page(call, found.map(([name, sha]) => ({ name, commit: short(call, repository, sha), protected: false })))
}

function getBranch (call: Call) {
  const repository = repositoryOf(call)
  const name = call.params.branch ?? ''
  const commit = repository.git.commits.get(repository.branches.get(name) ?? '')
  if (!commit) throw new Refusal(404, 'Branch not found')
  return ok({ name, commit: showCommit(contextOf(call), repository, commit), protected: false })
}

function listTags (call: Call) {
  const repository = repositoryOf(call)
  return page(call, [...repository.tags].map(([name, sha]) => ({ name, commit: short(call, repository, sha) })))
}

function compare (call: Call) {
  const repository = repositoryOf(call)
  const [base = '', head = ''] = (call.params.range ?? '').split(/\.\.\.?/).map((ref) => resolveRef(repository, ref))
  const [from, to] = [repository.git.commits.get(base), repository.git.commits.get(head)]
  if (!from || !to) throw new Refusal(404, 'Not Found')
  const [before, after] = [base, head].map((sha) => repository.git.history(sha))
  const shared = new Set(before?.map(({ sha }) => sha))
  const reached = new Set(after?.map(({ sha }) => sha))
  const ahead = (after ?? []).filter(({ sha }) => !shared.has(sha)).reverse()
  const behind = (before ?? []).filter(({ sha }) => !reached.has(sha))
  const show = (commit: typeof from) => showCommit(contextOf(call), repository, commit)
  const merged = before?.find(({ sha }) => reached.has(sha)) ?? from
  return ok({
    base_commit: show(from),
    merge_base_commit: show(merged),
    status: ahead.length === 0 ? behind.length === 0 ? 'identical' : 'behind' : behind.length ? 'diverged' : 'ahead',
    ahead_by: ahead.length,
    behind_by: behind.length,
    total_commits: ahead.length,
    commits: ahead.map(show),
    files: changesOf(repository, { ...to, parents: [merged.sha] }).files
  })
}

export const branchOperations = [
  operation('listBranches', 'GET', '{repo}/branches', listBranches, { auth: 'any' }),
  operation('getBranch', 'GET', '{repo}/branches/{branch*}', getBranch, { auth: 'any' }),
  operation('listTags', 'GET', '{repo}/tags', listTags, { auth: 'any' }),
  operation('compareCommits', 'GET', '{repo}/compare/{range*}', compare, { auth: 'any' })
]
