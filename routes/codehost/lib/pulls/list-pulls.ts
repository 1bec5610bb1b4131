import type { CursorKey } from '../../../../plugins/cursors.js'
import type { ListPulls, PullRequest } from '../../../../schemas/codehost/pulls.js'
import { HostPulls, type HostPull } from '../../../../schemas/codehost/upstream.js'
import type { Access } from '../access.js'
import { describePull, readVerdicts } from './read-pull-state.js'
import { inRepository, type RepositoryName } from '../repositories/find-repository.js'
import { stalenessOf, type Staleness } from '../read-host.js'
import { scanPages } from '../repositories/list-repositories.js'

export interface PullList extends Staleness { items: PullRequest[], next: CursorKey | null }

const states = { open: 'open', closed: 'closed', merged: 'closed', all: 'all' } as const

const fitsState = (state: ListPulls['state'], { merged_at: mergedAt }: HostPull): boolean => {
  if (state === 'merged') return Boolean(mergedAt)
  return state !== 'closed' || !mergedAt
}

const fitsAuthor = (author: string | undefined, { user }: HostPull): boolean =>
  author === undefined || user?.login?.toLowerCase() === author.toLowerCase()

/** @returns the branch as the code host filters by it: with the owner of its repository */
const headOf = (head: string | undefined, { owner }: RepositoryName) =>
  head === undefined || head.includes(':') ? head : `${owner}:${head}`

const scan = (access: Access, name: RepositoryName, query: ListPulls, from: CursorKey | undefined) => {
  const { state, base, head, author, limit } = query
  return scanPages<HostPull>({
    limit,
    from,
    keep: (pull) => fitsState(state, pull) && fitsAuthor(author, pull),
    fetch: (page, per_page) => access.client.read('GET /repos/{owner}/{repo}/pulls', {
      ...name,
      state: states[state],
      base,
      head: headOf(head, name),
      sort: 'updated',
      direction: 'desc',
      per_page,
      page
    }, HostPulls)
  }, author !== undefined || state === 'closed' || state === 'merged')
}

/** @returns one page of a repository's pull requests, the last changed first. @throws repo_not_found */
export const listPulls = async (access: Access, repoId: string, query: ListPulls, from: CursorKey | undefined):
Promise<PullList> => {
  const { found, result } = await inRepository(access, repoId, async (name) => {
    const scanned = await scan(access, name, query, from)
    // Only what is open has a state that is live.
    const open = scanned.items.filter((pull) => pull.state === 'open')
    const states = await readVerdicts(access, name, open)
    return { ...scanned, states, stateOf: new Map(open.map((pull, i) => [pull, states[i]])) }
  })
  const { items, next, states, stateOf } = result
  const described = items.map((pull) =>
    describePull(pull, repoId, stateOf.get(pull) ?? { reviews: null, checks: null }))
  return { items: described, next, ...stalenessOf(found, result, ...states) }
}
