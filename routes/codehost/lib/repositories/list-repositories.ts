import { findKnown, saveSeen, type KnownRepository } from '../../../../db/codehost/repositories.js'
import type { Answer } from '../../../../lib/codehost/client.js'
import type { CursorKey } from '../../../../plugins/cursors.js'
import type { ListRepositories, Repository } from '../../../../schemas/codehost/repositories.js'
import { HostRepositories, HostRepository } from '../../../../schemas/codehost/upstream.js'
import { type Access, CodehostBadResponse } from '../access.js'
import { isCode } from '../read-host.js'
import { describeRepository, seenOf, repositoryNameOf } from './find-repository.js'

export interface Scan<T> {
  limit: number
  /** Where the previous page ended: page and position at the code host, and the size of its pages. */
  from: CursorKey | undefined
  /** A filter that the code host does not have. */
  keep?: (item: T) => boolean
  fetch: (page: number, perPage: number) => Promise<Answer<T[]>>
}

export interface Scanned<T> { items: T[], next: CursorKey | null, staleSince: Date | null, hidden?: string[] }

const maxPages = 5
const pageSize = 100

/** @returns the next page's number. @throws codehost_bad_response when it is not a later page */
const nextPage = ({ next }: Answer<unknown>, page: number): number | null => {
  if (!next) return null
  const number = next.page ?? page + 1
  if (number <= page) throw CodehostBadResponse('The code host\'s next page is not a later one')
  return number
}

/**
 * Fills one page from at most five pages of the code host: with a filter of our own a page may be short, or empty,
 * and not be the last.
 */
export const scanPages = async <T>({ limit, from, keep = () => true, fetch }: Scan<T>, filtered: boolean):
Promise<Scanned<T>> => {
  const [first = 1, skipped = 0, size = filtered ? pageSize : limit] = (from ?? []).map(Number)
  const items: T[] = []
  let staleSince: Date | null = null
  const hidden = new Set<string>()
  let page: number | null = first
  for (let count = 0, skip = skipped; page !== null && count < maxPages; count++, skip = 0) {
    const answer: Answer<T[]> = await fetch(page, size)
    staleSince ??= answer.staleSince
    for (const id of answer.hidden ?? []) hidden.add(id)
    for (const [i, item] of answer.data.entries()) {
      if (i < skip || !keep(item)) continue
      if (items.length === limit) return { items, next: [page, i, size], staleSince, hidden: [...hidden] }
      items.push(item)
    }
    page = nextPage(answer, page)
    if (items.length === limit) break
  }
  return { items, next: page === null ? null : [page, 0, size], staleSince, hidden: [...hidden] }
}

type Filter = Omit<ListRepositories, 'cursor' | 'limit'>

const fitsArchived = ({ archived }: Filter, host: HostRepository) =>
  archived === undefined || (host.archived ?? false) === archived

const fitsText = ({ q }: Filter, { full_name, description }: HostRepository) =>
  q === undefined || `${full_name} ${description ?? ''}`.toLowerCase().includes(q.toLowerCase())

const fitsVisibility = ({ visibility }: Filter, host: HostRepository) =>
  visibility === undefined || seenOf(host).private === (visibility === 'private')

const keeps = (filter: Filter) => (host: HostRepository) =>
  [fitsArchived, fitsText, fitsVisibility].every((fits) => fits(filter, host))

const findNamed = async ({ client }: Access, filter: Filter, name: string): Promise<Scanned<HostRepository>> => {
  try {
    const { data, staleSince } =
      await client.read('GET /repos/{owner}/{repo}', { ...repositoryNameOf(name) }, HostRepository)
    // An old name redirects to the renamed repository, which does not have this name.
    const isIt = data.full_name.toLowerCase() === name.toLowerCase() && keeps(filter)(data)
    return { items: isIt ? [data] : [], next: null, staleSince }
  } catch (error) {
    if (isCode(error, 'codehost_not_found')) return { items: [], next: null, staleSince: null }
    throw error
  }
}

const findAll = ({ client }: Access, filter: Filter, limit: number, from: CursorKey | undefined) => {
  const { visibility } = filter
  return scanPages<HostRepository>({
    limit,
    from,
    keep: keeps(filter),
    fetch: (page, per_page) => client.read('GET /user/repos',
      { per_page, page, sort: 'full_name', ...(visibility && { visibility }) }, HostRepositories)
  }, filter.q !== undefined || filter.archived !== undefined)
}

const changedFrom = (known: Map<string, KnownRepository>) => (host: HostRepository): boolean => {
  const [row, seen] = [known.get(String(host.id)), seenOf(host)]
  return !row?.recent || row.full_name !== seen.full_name || row.permission !== seen.permission ||
    row.default_branch !== seen.default_branch || row.private !== seen.private
}

/** @returns one page of the repositories that the person may see at the code host, by name */
export const listRepositories = async (access: Access, { limit, cursor: _, ...filter }: ListRepositories,
  from: CursorKey | undefined): Promise<Scanned<Repository>> => {
  const { db, principal } = access
  const { items, next, staleSince, hidden = [] } = filter.full_name === undefined
    ? await findAll(access, filter, limit, from)
    : await findNamed(access, filter, filter.full_name)
  const rows = await findKnown(db, principal.workspace_id, principal.user_id, items.map(({ id }) => String(id)))
  const known = new Map(rows.map((row) => [row.id, row]))
  const changed = staleSince ? [] : items.filter(changedFrom(known)).map(seenOf)
  if (changed.length > 0) {
    await db.transaction().execute((trx) => saveSeen(trx, principal.workspace_id, principal.user_id, changed))
  }
  return { items: items.map((host) => describeRepository(host, known.get(String(host.id)))), next, staleSince, hidden }
}
