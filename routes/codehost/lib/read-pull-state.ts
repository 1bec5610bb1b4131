import type { Static, TSchema } from '@sinclair/typebox'
import type { Answer } from '../../../lib/codehost/client.js'
import { HostCheckRuns, HostReviews, HostStatus, type HostPull } from '../../../schemas/codehost/upstream.js'
import { ApiError } from '../../../schemas/errors.js'
import type { Access } from './access.js'
import type { PullState } from './describe-pull.js'
import type { RepositoryName } from './find-repository.js'
import { judgeChecks, judgeReviews } from './judge-pull.js'
import { isCode } from './read-host.js'

export interface JudgedPull extends PullState { staleSince: Date | null }

type Aged = Pick<Answer<unknown>, 'staleSince'>
interface Judged<T> extends Aged { value: T }

const maxPages = 5

const oldest = (...answers: Aged[]): Date | null =>
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

const readReviews = async (access: Access, name: RepositoryName, pull: HostPull):
Promise<Judged<PullState['reviews']>> => {
  const pages = await readAll(access, 'GET /repos/{owner}/{repo}/pulls/{number}/reviews',
    { ...name, number: pull.number }, HostReviews)
  if (!pages) return { value: null, staleSince: null }
  const isRequested = (pull.requested_reviewers ?? []).length > 0
  return { value: judgeReviews(pages.flatMap(({ data }) => data), isRequested), staleSince: oldest(...pages) }
}

/** Forgejo and Gitea have no check runs, only statuses. */
const readRuns = (access: Access, name: RepositoryName, sha: string) =>
  readAll(access, 'GET /repos/{owner}/{repo}/commits/{sha}/check-runs', { ...name, sha }, HostCheckRuns)
    .catch((error: unknown) => {
      if (isCode(error, 'codehost_not_found')) return []
      throw error
    })

const readChecks = async (access: Access, name: RepositoryName, { head: { sha } }: HostPull):
Promise<Judged<PullState['checks']>> => {
  const [pages, status] = await Promise.all([
    readRuns(access, name, sha),
    access.client.read('GET /repos/{owner}/{repo}/commits/{sha}/status', { ...name, sha, per_page: 1 }, HostStatus)
  ])
  if (!pages) return { value: null, staleSince: null }
  const runs = pages.flatMap(({ data }) => data.check_runs)
  return { value: judgeChecks(runs, status.data), staleSince: oldest(status, ...pages) }
}

/** Reads that stop for all pull requests of a page once the code host fails. */
class Readings {
  #broken = false

  /** A person who may read pull requests may lack the right to read checks: an unknown value is null. */
  async read <T>(reading: () => Promise<Judged<T>>): Promise<Judged<T | null>> {
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

const readPullState = async (access: Access, name: RepositoryName, pull: HostPull, readings: Readings):
Promise<JudgedPull> => {
  const [reviews, checks] = await Promise.all([
    readings.read(() => readReviews(access, name, pull)), readings.read(() => readChecks(access, name, pull))
  ])
  return { reviews: reviews.value, checks: checks.value, staleSince: oldest(reviews, checks) }
}

const parallel = 4

/**
 * Reads reviews and checks of a page of pull requests, of the open ones only: each costs three conditional requests.
 * @returns one state for each pull request, with null where the code host does not answer
 */
export const readPullStates = async (access: Access, name: RepositoryName, pulls: HostPull[]):
Promise<JudgedPull[]> => {
  const states: JudgedPull[] = pulls.map(() => ({ reviews: null, checks: null, staleSince: null }))
  const readings = new Readings()
  const open = [...pulls.entries()].filter(([, { state }]) => state === 'open')
  const work = async () => {
    for (let next = open.shift(); next; next = open.shift()) {
      states[next[0]] = await readPullState(access, name, next[1], readings)
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return states
}
