import { invalid, Refusal } from '../core/errors.js'
import type { Commit } from '../core/git.js'
import { operation, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import { accountNamed, fullNameOf, permissionOf, type Repository, type World } from '../core/world.js'
import { placeOf } from './repositories.js'
import { showCommit, showRepository } from './views.js'

const qualifier = /(?:^|\s)(-?[a-z-]+):("[^"]*"|\S+)/g
const maxLength = 256
const reachable = 1000

interface Wish { words: string[], qualifiers: [string, string][] }

function parse (q: string): Wish {
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

const values = ({ qualifiers }: Wish, ...names: string[]) =>
  qualifiers.filter(([name]) => names.includes(name)).map(([, value]) => value.toLowerCase())

/** @throws 422 where a name is of something that the caller cannot see */
function scopeOf (world: World, wish: Wish, visible: Repository[]): Repository[] {
  const names = values(wish, 'repo')
  const owners = values(wish, 'org', 'user')
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

function fits (world: World, wish: Wish, { author, committer, message, sha }: Commit): boolean {
  const text = message.toLowerCase()
  const emailOf = (login: string) => accountNamed(world, login)?.email ?? login
  return wish.words.every((word) => text.includes(word)) &&
    values(wish, 'author').every((login) => author.email === emailOf(login)) &&
    values(wish, 'committer').every((login) => committer.email === emailOf(login)) &&
    values(wish, 'author-name').every((name) => author.name.toLowerCase().includes(name)) &&
    values(wish, 'author-email').every((email) => author.email === email) &&
    values(wish, 'hash').every((hash) => sha.startsWith(hash)) &&
    values(wish, 'author-date').every((range) => inRange(author.date, range)) &&
    values(wish, 'committer-date').every((range) => inRange(committer.date, range))
}

/** Default branches only; what the caller cannot see is not there. */
function searchCommits (call: Call) {
  const q = call.query.get('q') ?? ''
  const { world } = call.sandbox
  if (q.trim() === '') throw invalid({ resource: 'Search', field: 'q', code: 'missing' })
  const wish = parse(q)
  if (wish.words.join(' ').length > maxLength) throw new Refusal(422, 'The search is longer than 256 characters.')
  const visible = [...world.repositories.values()].filter((one) => permissionOf(world, one, call.user?.id))
  const found = scopeOf(world, wish, visible).flatMap((repository) =>
    repository.git.history(repository.branches.get(repository.default_branch) ?? '')
      .filter((commit) => fits(world, wish, commit)).map((commit) => ({ repository, commit })))
  const date = ({ commit }: typeof found[number]) => Date.parse(commit.committer.date)
  found.sort((a, b) => date(b) - date(a))
  if (call.query.get('order') === 'asc') found.reverse()
  const items = found.slice(0, reachable).map(({ repository, commit }) => ({
    ...showCommit(placeOf(call), repository, commit), repository: showRepository(placeOf(call), repository), score: 1
  }))
  return page(call, items, (slice) => ({ total_count: found.length, incomplete_results: false, items: slice }))
}

export const searchOperations = [
  operation('searchCommits', 'GET', '/search/commits', searchCommits, { auth: 'any', resource: 'search' })
]
