import type { CursorKey } from '../../../../plugins/cursors.js'
import type { Answer } from '../../../../lib/codehost/client.js'
import type { SearchCommits } from '../../../../schemas/codehost/commits.js'
import {
  HostCommitSearch, HostRepositories, type FoundCommit, type HostRepository
} from '../../../../schemas/codehost/upstream.js'
import { type Access, UnsupportedQualifier } from '../access.js'
import { inRepository } from './find-repository.js'
import { stalenessOf, toUtc, type Staleness } from '../read-host.js'

export interface CommitSearch extends Staleness {
  items: FoundCommit[]
  next: CursorKey | null
  total_count: number | null
  incomplete_results: boolean
  hidden_organizations: string[]
}

/** The code host answers no more results of a search. */
const reachable = 1_000
/** Each owner of the caller's repositories adds a qualifier, and the length of a query is limited. */
const ownersAtOnce = 20
/** Pages of a hundred repositories that are read for their owners. */
const maxPages = 5

/** The code host's own qualifiers only: conventional commits begin with words like `fix:`. */
const names = 'repo|user|org|is|merge|hash|parent|tree|sort|fork|in|topic|enterprise|props\\.[^:\\s]{0,75}|' +
  '(author|committer)(-name|-email|-date)?'
const qualifier = new RegExp(`(^|[\\s("'-])-?(${names}):`, 'i')

const requireNoQualifier = (q: string): void => {
  const found = qualifier.exec(q)
  if (!found) return
  const message = `may not hold the qualifier ${found[2]}:`
  throw UnsupportedQualifier(`q ${message}; use the parameters repo_id, author, since and until`,
    { errors: [{ pointer: '/querystring/q', code: 'unsupported_qualifier', message }] })
}

const rangeOf = ({ since, until }: SearchCommits): string[] => {
  if (since === undefined && until === undefined) return []
  // Whole seconds: not every host accepts fractions.
  const bound = (name: string, time: string | undefined) => toUtc(name, time)?.replace(/\.\d+/, '') ?? '*'
  return [`committer-date:${bound('since', since)}..${bound('until', until)}`]
}

interface Scope { qualifiers: string[], includes: (found: FoundCommit) => boolean }

interface Owners extends Answer<string[]> { all: boolean }

/**
 * Without a repository, the search is limited to the owners of the caller's repositories, not the whole host.
 * @returns them by name, so that the next page goes on behind the last
 */
const readOwners = async ({ client }: Access): Promise<Owners> => {
  const owners = new Set<string>()
  const hidden = new Set<string>()
  let staleSince: Date | null = null
  let next: Answer<unknown>['next'] = { page: 1 }
  for (let count = 0; next !== null && count < maxPages; count++) {
    const answer: Answer<HostRepository[]> = await client.read('GET /user/repos',
      { per_page: 100, page: next.page ?? count + 1, sort: 'full_name' }, HostRepositories)
    for (const { full_name: name } of answer.data) owners.add(name.split('/')[0]?.toLowerCase() ?? '')
    for (const id of answer.hidden ?? []) hidden.add(id)
    staleSince ??= answer.staleSince
    next = answer.next
  }
  return { data: [...owners].sort(), next: null, staleSince, hidden: [...hidden], all: next === null }
}

const none: Answer<HostCommitSearch> =
  { data: { total_count: 0, incomplete_results: false, items: [] }, next: null, staleSince: null }

const search = async ({ client }: Access, query: SearchCommits, { qualifiers, includes }: Scope,
  [page = 1, size = query.limit]: readonly number[]) => {
  const author = query.author === undefined ? [] : [`author:${query.author}`]
  const q = [query.q, ...qualifiers, ...author, ...rangeOf(query)].join(' ')
  const answer = await client.read('GET /search/commits', { q, per_page: size, page }, HostCommitSearch)
  const more = answer.next !== null && page * size < reachable
  const items = answer.data.items.filter(includes)
  return { answer, items, next: more ? [page + 1, size] as const : null }
}

/** @param searches how many searches make the whole list, with that of this answer */
const describe = (answer: Answer<HostCommitSearch>, items: FoundCommit[], searches: number, hidden: string[]) => ({
  items,
  total_count: searches > 1 || items.length < answer.data.items.length ? null : answer.data.total_count,
  incomplete_results: (answer.data.incomplete_results ?? false) || hidden.length > 0,
  hidden_organizations: hidden
})

const inOne = async (access: Access, id: string, query: SearchCommits, from: CursorKey | undefined):
Promise<CommitSearch> => {
  const { found, result } = await inRepository(access, id, ({ owner, repo }) => search(access, query, {
    qualifiers: [`repo:${owner}/${repo}`], includes: ({ repository }) => String(repository.id) === id
  }, (from ?? []).map(Number)))
  const { answer, items, next } = result
  return { ...describe(answer, items, 1, answer.hidden ?? []), next, ...stalenessOf(found, answer) }
}

/** Owners are searched some at a time; a position names the first of them. */
const inAll = async (access: Access, query: SearchCommits, from: CursorKey | undefined): Promise<CommitSearch> => {
  const owners = await readOwners(access)
  const [first = '', ...position] = from ?? []
  const left = owners.data.filter((owner) => owner >= String(first))
  const [some, then] = [left.slice(0, ownersAtOnce), left[ownersAtOnce]]
  const { answer, items, next } = some.length === 0
    ? { answer: none, items: [], next: null }
    : await search(access, query, {
      qualifiers: some.map((owner) => `user:${owner}`),
      includes: ({ repository }) => some.includes(repository.full_name.split('/')[0]?.toLowerCase() ?? '')
    }, position.map(Number))
  const hidden = [...new Set([...owners.hidden ?? [], ...answer.hidden ?? []])]
  const described = describe(answer, items, Math.ceil(owners.data.length / ownersAtOnce), hidden)
  const more = then === undefined ? null : [then]
  return {
    ...described,
    incomplete_results: described.incomplete_results || !owners.all,
    next: next ? [some[0] ?? '', ...next] : more,
    ...stalenessOf(owners, answer)
  }
}

/**
 * Searches messages on default branches, as the person: in one repository, or in those of the owners whose
 * repositories the person sees.
 * @throws unsupported_qualifier when the text has a qualifier; repo_not_found
 */
export const searchCommits = async (access: Access, query: SearchCommits, from: CursorKey | undefined):
Promise<CommitSearch> => {
  requireNoQualifier(query.q)
  return query.repo_id === undefined ? inAll(access, query, from) : inOne(access, query.repo_id, query, from)
}
