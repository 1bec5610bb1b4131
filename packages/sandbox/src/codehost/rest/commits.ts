import { Refusal } from '../core/errors.js'
import type { Commit } from '../core/git.js'
import { ok, operation, repositoryOf, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import { accountNamed, type Repository } from '../core/world.js'
import { changesOf } from './changes.js'
import { contextOf } from './repositories.js'
import { showCommit } from './views.js'

/** @returns the commit that a branch, a tag or a (short) hash names */
export function resolveRef ({ git, branches, tags }: Repository, ref: string): string | undefined {
  const short = ref.replace(/^(refs\/)?(heads|tags)\//, '')
  const named = branches.get(ref) ?? tags.get(ref) ?? branches.get(short) ?? tags.get(short)
  if (named) return named
  if (git.commits.has(ref)) return ref
  return /^[0-9a-f]{7,}$/.test(ref) ? [...git.commits.keys()].find((sha) => sha.startsWith(ref)) : undefined
}

function touches (repository: Repository, commit: Commit, path: string): boolean {
  const under = (files: ReadonlyMap<string, { sha: string }>) =>
    JSON.stringify([...files].filter(([name]) => name === path || name.startsWith(`${path}/`)))
  const [parent] = commit.parents
  const before = parent === undefined ? new Map() : repository.git.filesOf(parent)
  return under(repository.git.filesOf(commit.sha)) !== under(before)
}

function filterOf (call: Call, repository: Repository): (commit: Commit) => boolean {
  const { query, sandbox: { world } } = call
  const email = (value: string) => accountNamed(world, value)?.email ?? value
  const [author, committer, since, until, path] =
    ['author', 'committer', 'since', 'until', 'path'].map((name) => query.get(name))
  return (commit) => (!author || commit.author.email === email(author)) &&
    (!committer || commit.committer.email === email(committer)) &&
    (!since || Date.parse(commit.committer.date) >= Date.parse(since)) &&
    (!until || Date.parse(commit.committer.date) <= Date.parse(until)) &&
    (!path || touches(repository, commit, path))
}

function listCommits (call: Call) {
  const repository = repositoryOf(call)
  if (repository.git.commits.size === 0) throw new Refusal(409, 'Git Repository is empty.')
  const ref = call.query.get('sha') ?? repository.default_branch
  const head = resolveRef(repository, ref)
  if (!head) throw new Refusal(404, 'Not Found')
  const commits = repository.git.history(head).filter(filterOf(call, repository))
  return page(call, commits.map((commit) => showCommit(contextOf(call), repository, commit)))
}

function getCommit (call: Call) {
  const repository = repositoryOf(call)
  if (repository.git.commits.size === 0) throw new Refusal(409, 'Git Repository is empty.')
  const sha = resolveRef(repository, call.params.ref ?? '')
  const commit = sha === undefined ? undefined : repository.git.commits.get(sha)
  if (!commit) throw new Refusal(422, `No commit found for SHA: ${call.params.ref}`)
  return ok({ ...showCommit(contextOf(call), repository, commit), ...changesOf(repository, commit) })
}

export const commitOperations = [
  operation('listCommits', 'GET', '{repo}/commits', listCommits, { auth: 'any' }),
  operation('getCommit', 'GET', '{repo}/commits/{ref*}', getCommit, { auth: 'any' })
]
