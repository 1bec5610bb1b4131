import type { CursorKey } from '../../../plugins/cursors.js'
import type { Answer } from '../../../lib/codehost/client.js'
import type { SearchCommits } from '../../../schemas/codehost/commits.js'
import { HostCommitSearch, HostRepositories, type FoundCommit } from '../../../schemas/codehost/upstream.js'
import type { Access } from './access.js'
import { UnsupportedQualifier } from './errors.js'
import { inRepository } from './find-repository.js'
import { stalenessOf, toUtc, type Staleness } from './read-host.js'

export interface CommitSearch extends Staleness {
  items: FoundCommit[]
  next: CursorKey | null
  total_count: number
  incomplete_results: boolean
}

/** The code host answers no more results of a search. */
const reachable = 1_000
/** Each owner of the caller's repositories adds a qualifier, and the length of a query is limited. */
const maxOwners = 20

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

/** Without a repository, the search is limited to the owners of the caller's repositories, not the whole host. */
const readOwners = async ({ client }: Access): Promise<Answer<string[]>> => {
  const { data, ...answer } = await client.read('GET /user/repos',
    { per_page: 100, page: 1, sort: 'pushed' }, HostRepositories)
  const owners = [...new Set(data.map(({ full_name: name }) => name.split('/')[0] ?? ''))].slice(0, maxOwners)
  return { ...answer, data: owners }
}

const none = { data: { total_count: 0, incomplete_results: false, items: [] }, next: null, staleSince: null }

const search = async ({ client }: Access, query: SearchCommits, { qualifiers, includes }: Scope,
  from: CursorKey | undefined) => {
  const [page = 1, size = query.limit] = (from ?? []).map(Number)
  const author = query.author === undefined ? [] : [`author:${query.author}`]
  const q = [query.q, ...qualifiers, ...author, ...rangeOf(query)].join(' ')
  const answer = await client.read('GET /search/commits', { q, per_page: size, page }, HostCommitSearch)
  const more = answer.next !== null && page * size < reachable
  const items = answer.data.items.filter(includes)
  return { answer, items, next: more ? [page + 1, size] as const : null }
}

const inOne = async (access: Access, id: string, query: SearchCommits, from: CursorKey | undefined) => {
  const { found, result } = await inRepository(access, id, ({ owner, repo }) => search(access, query, {
    qualifiers: [`repo:${owner}/${repo}`], includes: ({ repository }) => String(repository.id) === id
  }, from))
  return { ...result, staleness: stalenessOf(found, result.answer) }
}

const inAll = async (access: Access, query: SearchCommits, from: CursorKey | undefined) => {
  const owners = await readOwners(access)
  if (owners.data.length === 0) return { answer: none, items: [], next: null, staleness: stalenessOf(owners) }
  const known = new Set(owners.data.map((owner) => owner.toLowerCase()))
  const result = await search(access, query, {
    qualifiers: owners.data.map((owner) => `user:${owner}`),
    includes: ({ repository }) => known.has(repository.full_name.split('/')[0]?.toLowerCase() ?? '')
  }, from)
  return { ...result, staleness: stalenessOf(owners, result.answer) }
}

/**
 * Searches messages on default branches, as the person: in one repository, or in those of the owners whose
 * repositories the person sees.
 * @throws unsupported_qualifier when the text has a qualifier; repo_not_found
 */
export const searchCommits = async (access: Access, query: SearchCommits, from: CursorKey | undefined):
Promise<CommitSearch> => {
  requireNoQualifier(query.q)
  const { answer, items, next, staleness } = query.repo_id === undefined
    ? await inAll(access, query, from)
    : await inOne(access, query.repo_id, query, from)
  const { total_count, incomplete_results } = answer.data
  return { items, next, total_count, incomplete_results: incomplete_results ?? false, ...staleness }
}
