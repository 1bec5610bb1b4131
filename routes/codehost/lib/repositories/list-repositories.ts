import { findKnown, saveSeen, type KnownRepository } from '../../../../db/codehost/repositories.js'
import type { CursorKey } from '../../../../plugins/cursors.js'
import type { ListRepositories, Repository } from '../../../../schemas/codehost/repositories.js'
import { HostRepositories, HostRepository } from '../../../../schemas/codehost/upstream.js'
import type { Access } from '../access.js'
import { describeRepository, seenOf } from './describe-repository.js'
import { repositoryNameOf } from './find-repository.js'
import { isCode } from '../read-host.js'
import { scanPages, type Scanned } from './scan-pages.js'

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
