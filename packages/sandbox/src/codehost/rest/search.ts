import { invalid, Refusal } from '../core/errors.js'
import type { Commit } from '../core/git.js'
import { operation, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import { accountNamed, fullNameOf, permissionOf, type Repository, type World } from '../core/world.js'
import { contextOf } from './repositories.js'
import { showCommit, showRepository } from './views.js'

const qualifier = /(?:^|\s)(-?[a-z-]+):("[^"]*"|\S+)/g
const maxLength = 256
const reachable = 1000

interface Query { words: string[], qualifiers: [string, string][] }

function parse (q: string): Query {
  const qualifiers = [...q.matchAll(qualifier)].map(([, name, value]) =>
    [name ?? '', (value ?? '').replaceAll('"', '')] as [string, string])
  const rest = q.replace(qualifier, ' ')
  const words = (rest.match(/"[^"]+"|\S+/g) ?? []).map((word) => word.replaceAll('"', '').toLowerCase())
  return { words, qualifiers }
}

const notVisible = () => invalid({
  message: 'The listed users and repositories cannot be searched either because the resources do not exist or ' +
    'you do not have permission to view them.',
  resource: 'Search',
  field: 'q',
  code: 'invalid'
})

const values = ({ qualifiers }: Query, ...names: string[]) =>
  qualifiers.filter(([name]) => names.includes(name)).map(([, value]) => value.toLowerCase())

/** @throws 422 for the name of something that the caller cannot see */
function scopeOf (world: World, query: Query, visible: Repository[]): Repository[] {
  const names = values(query, 'repo')
  const owners = values(query, 'org', 'user')
  const nameOf = (repository: Repository) => fullNameOf(world, repository).toLowerCase()
  if (names.some((name) => !visible.some((one) => nameOf(one) === name))) throw notVisible()
  if (owners.some((owner) => !accountNamed(world, owner))) throw notVisible()
  if (names.length + owners.length === 0) return visible
  return visible.filter((one) => names.includes(nameOf(one)) || owners.some((owner) =>
    nameOf(one).startsWith(`${owner}/`)))
}

const inRange = (date: string, range: string): boolean => {
  const [, sign = '', bound = ''] = /^(>=|<=|>|<)?(.+)$/.exec(range) ?? []
  const time = Date.parse(date)
  if (bound.includes('..')) {
    const [from = '', to = ''] = bound.split('..')
    return (from === '*' || time >= Date.parse(from)) && (to === '*' || time <= Date.parse(to))
  }
  const limit = Date.parse(bound)
  if (sign === '>') return time > limit
  if (sign === '>=') return time >= limit
  if (sign === '<') return time < limit
  if (sign === '<=') return time <= limit
  return date.startsWith(bound.slice(0, 10))
}

function fits (world: World, query: Query, { author, committer, message, sha }: Commit): boolean {
  const text = message.toLowerCase()
  const emailOf = (login: string) => accountNamed(world, login)?.email ?? login
  return query.words.every((word) => text.includes(word)) &&
    values(query, 'author').every((login) => author.email === emailOf(login)) &&
    values(query, 'committer').every((login) => committer.email === emailOf(login)) &&
    values(query, 'author-name').every((name) => author.name.toLowerCase().includes(name)) &&
    values(query, 'author-email').every((email) => author.email === email) &&
    values(query, 'hash').every((hash) => sha.startsWith(hash)) &&
    values(query, 'author-date').every((range) => inRange(author.date, range)) &&
    values(query, 'committer-date').every((range) => inRange(committer.date, range))
}

/** Searches only default branches that the caller can see. */
function searchCommits (call: Call) {
  const q = call.query.get('q') ?? ''
  const { world } = call.sandbox
  if (q.trim() === '') throw invalid({ resource: 'Search', field: 'q', code: 'missing' })
  const query = parse(q)
  if (query.words.join(' ').length > maxLength) throw new Refusal(422, 'The search is longer than 256 characters.')
  const visible = [...world.repositories.values()].filter((one) => permissionOf(world, one, call.user?.id))
  const found = scopeOf(world, query, visible).flatMap((repository) =>
    repository.git.history(repository.branches.get(repository.default_branch) ?? '')
      .filter((commit) => fits(world, query, commit)).map((commit) => ({ repository, commit })))
  const date = ({ commit }: typeof found[number]) => Date.parse(commit.committer.date)
  found.sort((a, b) => date(b) - date(a))
  if (call.query.get('order') === 'asc') found.reverse()
  const items = found.slice(0, reachable).map(({ repository, commit }) => ({
    ...showCommit(contextOf(call), repository, commit),
    repository: showRepository(contextOf(call), repository),
    score: 1
  }))
  return page(call, items, (slice) => ({ total_count: found.length, incomplete_results: false, items: slice }))
}

export const searchOperations = [
  operation('searchCommits', 'GET', '/search/commits', searchCommits, { auth: 'any', resource: 'search' })
]
