import type { FastifyInstance } from 'fastify'
import { readRoute } from '../../../../lib/http/call-route.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { CommitPage, type Commit } from '../../../../schemas/codehost/commits.js'
import { PullPage, type PullRequest } from '../../../../schemas/codehost/pulls.js'

export type Deps = Pick<FastifyInstance, 'inject' | 'tickets'>

/** What a release holds, newest first. `isWhole`: the range had no more commits than are read. */
export interface ReleaseRange { commits: Commit[], pulls: PullRequest[], isWhole: boolean }

const pageSize = 100
/** Pages of commits, and of pull requests, that are read: each is a request to the code host. */
const maxPages = 5

interface Page<T> { items: T[], next_cursor: string | null }

/** Reads pages until one has nothing new. @returns the items, and whether there were no more pages */
const readPages = async <T>(read: (query: URLSearchParams) => Promise<Page<T>>, query: Record<string, string>,
  isEnough: (items: readonly T[]) => boolean): Promise<{ items: T[], isWhole: boolean }> => {
  const items: T[] = []
  let cursor: string | null = null
  for (let page = 0; page < maxPages; page++) {
    const next: Page<T> = await read(new URLSearchParams({
      ...query, limit: String(pageSize), ...(cursor !== null && { cursor })
    }))
    items.push(...next.items)
    cursor = next.next_cursor
    if (cursor === null || isEnough(next.items)) return { items, isWhole: true }
  }
  return { items, isWhole: false }
}

const dateOf = ({ committer, author }: Commit): number => new Date(committer.date ?? author.date ?? 0).getTime()

/**
 * Reads by the code host's routes, as the person: the commits of `head` that `base` does not have, and the pull
 * requests that were merged meanwhile.
 * @throws what those routes answer
 */
export const readRange = async (deps: Deps, principal: Principal, repo: string, base: string, head?: string):
Promise<ReleaseRange> => {
  const url = `/codehost/repos/${repo}`
  const commitsOf = (query: URLSearchParams) => readRoute(deps, principal, { url: `${url}/commits?${query}` },
    CommitPage)
  const before = await readPages(commitsOf, { ref: base }, () => false)
  const known = new Set(before.items.map(({ sha }) => sha))
  const after = await readPages(commitsOf, head === undefined ? {} : { ref: head },
    (items) => items.length > 0 && items.every(({ sha }) => known.has(sha)))
  const commits = after.items.filter(({ sha }) => !known.has(sha))
  const oldest = Math.min(...commits.map(dateOf))
  const pullsOf = (query: URLSearchParams) => readRoute(deps, principal, { url: `${url}/pulls?${query}` }, PullPage)
  const { items: pulls } = commits.length === 0
    ? { items: [] }
    : await readPages(pullsOf, { state: 'merged' }, (items) =>
      items.length > 0 && items.every(({ updated_at: at }) => new Date(at).getTime() < oldest))
  return { commits, pulls, isWhole: after.isWhole }
}
