import type { Static, TSchema } from '@sinclair/typebox'
import type { Answer } from '../../../lib/codehost/client.js'
import { HostCheckRuns, HostReviews, HostStatus } from '../../../schemas/codehost/upstream.js'
import { ApiError } from '../../../schemas/errors.js'
import type { Access } from './access.js'
import type { RepositoryName } from './find-repository.js'
import { isCode } from './read-host.js'

type Aged = Pick<Answer<unknown>, 'staleSince'>
export interface Verdict<T> extends Aged { value: T }

export interface HostChecks { runs: HostCheckRuns['check_runs'], status: HostStatus }

const maxPages = 5

export const oldest = (...answers: Aged[]): Date | null =>
  answers.flatMap(({ staleSince }) => staleSince ?? []).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null

/** @returns all pages of a list; null when there are more than we read */
const readAll = async <T extends TSchema> ({ client }: Access, route: string, parameters: object, shape: T):
Promise<Answer<Static<T>>[] | null> => {
  const pages: Answer<Static<T>>[] = []
  for (let page = 1; page <= maxPages; page++) {
    const answer = await client.read(route, { ...parameters, per_page: 100, page }, shape)
    pages.push(answer)
    if (!answer.next) return pages
  }
  return null
}

/** @returns all reviews, oldest first; null when there are more than we read */
export const readReviews = async (access: Access, name: RepositoryName, number: number):
Promise<Verdict<HostReviews | null>> => {
  const pages = await readAll(access, 'GET /repos/{owner}/{repo}/pulls/{number}/reviews',
    { ...name, number }, HostReviews)
  return pages
    ? { value: pages.flatMap(({ data }) => data), staleSince: oldest(...pages) }
    : { value: null, staleSince: null }
}

/** Forgejo and Gitea have no check runs, only statuses. */
const readRuns = (access: Access, name: RepositoryName, sha: string) =>
  readAll(access, 'GET /repos/{owner}/{repo}/commits/{sha}/check-runs', { ...name, sha }, HostCheckRuns)
    .catch((error: unknown) => {
      if (isCode(error, 'codehost_not_found')) return []
      throw error
    })

/** @returns what checks a commit, with as many of its statuses; null when there are more runs than we read */
export const readChecks = async (access: Access, name: RepositoryName, sha: string, statuses: number):
Promise<Verdict<HostChecks | null>> => {
  const [pages, status] = await Promise.all([
    readRuns(access, name, sha),
    access.client.read('GET /repos/{owner}/{repo}/commits/{sha}/status',
      { ...name, sha, per_page: statuses }, HostStatus)
  ])
  if (!pages) return { value: null, staleSince: null }
  const runs = pages.flatMap(({ data }) => data.check_runs)
  return { value: { runs, status: status.data }, staleSince: oldest(status, ...pages) }
}

/** Reads that stop for all pull requests of a page once the code host fails. */
export class Readings {
  #broken = false

  /** A person who may read pull requests may lack the right to read checks: an unknown value is null. */
  async read <T>(reading: () => Promise<Verdict<T>>): Promise<Verdict<T | null>> {
    const nothing = { value: null, staleSince: null }
    if (this.#broken) return nothing
    try {
      return await reading()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.#broken ||= error.statusCode >= 500
      return nothing
    }
  }
}
