import type { HostPull, HostReviews } from '../../../schemas/codehost/upstream.js'
import type { Access } from './access.js'
import type { PullState } from './describe-pull.js'
import type { RepositoryName } from './find-repository.js'
import { judgeChecks, judgeReviews } from './judge-pull.js'
import { oldest, readChecks, Readings, readReviews, type HostChecks } from './read-verdicts.js'

export interface JudgedPull extends PullState { staleSince: Date | null }

/** @returns what reviewers and checks say, as counts; null where it is not known */
export const judge = (pull: HostPull, reviews: HostReviews | null, checks: HostChecks | null): PullState => ({
  reviews: reviews && judgeReviews(reviews, (pull.requested_reviewers ?? []).length > 0),
  checks: checks && judgeChecks(checks.runs, checks.status)
})

const readPullState = async (access: Access, name: RepositoryName, pull: HostPull, readings: Readings):
Promise<JudgedPull> => {
  const [reviews, checks] = await Promise.all([
    readings.read(() => readReviews(access, name, pull.number)),
    // One status is enough: the host summarizes them.
    readings.read(() => readChecks(access, name, pull.head.sha, 1))
  ])
  return { ...judge(pull, reviews.value, checks.value), staleSince: oldest(reviews, checks) }
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
