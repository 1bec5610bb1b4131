import { HostCheckRuns, HostReviews, HostStatus, type HostPull } from '../../../schemas/codehost/upstream.js'
import type { Asking } from './ask.js'
import type { PullState } from './describe-pull.js'
import type { Place } from './find-repository.js'
import { judgeChecks, judgeReviews } from './judge-pull.js'

const unknown: PullState = { reviews: null, checks: null }

const readReviews = async ({ client }: Asking, place: Place, pull: HostPull): Promise<PullState['reviews']> => {
  const { data } = await client.read('GET /repos/{owner}/{repo}/pulls/{number}/reviews',
    { ...place, number: pull.number, per_page: 100 }, HostReviews)
  return judgeReviews(data, (pull.requested_reviewers ?? []).length > 0)
}

const readChecks = async ({ client }: Asking, place: Place, { head: { sha } }: HostPull):
Promise<PullState['checks']> => {
  const [runs, status] = await Promise.all([
    client.read('GET /repos/{owner}/{repo}/commits/{sha}/check-runs', { ...place, sha, per_page: 100 }, HostCheckRuns),
    client.read('GET /repos/{owner}/{repo}/commits/{sha}/status', { ...place, sha, per_page: 1 }, HostStatus)
  ])
  return judgeChecks(runs.data, status.data)
}

/** Not every right to read pull requests is one to read checks: what cannot be told is null. */
const orUnknown = <T>(reading: Promise<T>): Promise<T | null> => reading.catch(() => null)

/** @returns what reviewers and checks say of a pull request now; null where the code host does not tell */
export const readPullState = async (asking: Asking, place: Place, pull: HostPull): Promise<PullState> => {
  const [reviews, checks] = await Promise.all([
    orUnknown(readReviews(asking, place, pull)), orUnknown(readChecks(asking, place, pull))
  ])
  return { reviews, checks }
}

const parallel = 4

/**
 * States of a page of pull requests, of the open ones only: each costs three requests, though conditional ones.
 * @returns one state for each pull request
 */
export const readPullStates = async (asking: Asking, place: Place, pulls: HostPull[]): Promise<PullState[]> => {
  const states = pulls.map(() => unknown)
  const open = [...pulls.entries()].filter(([, { state }]) => state === 'open')
  const work = async () => {
    for (let next = open.shift(); next; next = open.shift()) {
      states[next[0]] = await readPullState(asking, place, next[1])
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return states
}
