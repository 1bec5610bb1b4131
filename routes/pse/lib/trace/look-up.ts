import type { Static, TSchema } from '@sinclair/typebox'
import type { Principal } from '../../../../lib/security/principal.js'
import { readRoute } from '../../../../lib/http/call-route.js'
import { CommitPage, type Commit } from '../../../../schemas/codehost/commits.js'
import { PullPage, type PullRequest } from '../../../../schemas/codehost/pulls.js'
import { Repository } from '../../../../schemas/codehost/repositories.js'
import { AppPage, type App } from '../../../../schemas/deployments/apps.js'
import type { Deps } from '../deps.js'

export interface Found {
  repo_id: string
  full_name: string
  default_branch: string
  pulls: PullRequest[]
  commits: Commit[]
  complete: boolean
}

/** Pages of 100 of each list that one trace reads. */
const maxPages = 3

interface List { items: unknown[], next_cursor: string | null }

const readPages = async <T extends TSchema>(deps: Deps, principal: Principal, url: string, shape: T):
Promise<{ items: (Static<T> & List)['items'], complete: boolean }> => {
  const items: unknown[] = []
  let cursor: string | null = null
  for (let page = 0; page < maxPages && (page === 0 || cursor !== null); page++) {
    const query: URLSearchParams = new URLSearchParams({ limit: '100', ...(cursor !== null && { cursor }) })
    // Every page of our lists has these two fields.
    const next = await readRoute(deps, principal, { url: `${url}${url.includes('?') ? '&' : '?'}${query}` }, shape) as
      List
    items.push(...next.items)
    cursor = next.next_cursor
  }
  // The route's own items, as its schema has them.
  return { items: items as (Static<T> & List)['items'], complete: cursor === null }
}

/** @returns the newest pull requests and commits of a repository, as the person sees them */
export const lookUpRepository = async (deps: Deps, principal: Principal, id: string): Promise<Found> => {
  const url = `/codehost/repos/${encodeURIComponent(id)}`
  const { full_name, default_branch } = await readRoute(deps, principal, { url }, Repository)
  const pulls = await readPages(deps, principal, `${url}/pulls?state=all`, PullPage)
  const commits = await readPages(deps, principal, `${url}/commits`, CommitPage)
  return {
    repo_id: id,
    full_name,
    default_branch,
    pulls: pulls.items,
    commits: commits.items,
    complete: pulls.complete && commits.complete
  }
}

/** @returns the apps that the person may see */
export const lookUpApps = async (deps: Deps, principal: Principal): Promise<App[]> =>
  (await readPages(deps, principal, '/deployments/apps', AppPage)).items
