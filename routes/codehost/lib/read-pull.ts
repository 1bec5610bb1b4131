import type { PullDetail } from '../../../schemas/codehost/pulls.js'
import { HostPull } from '../../../schemas/codehost/upstream.js'
import type { Access } from './access.js'
import { describePull } from './describe-pull.js'
import { describeChecks, describeReviews } from './describe-verdicts.js'
import { CodehostNotFound } from './errors.js'
import { inRepository, type RepositoryName } from './find-repository.js'
import { isCode, stalenessOf } from './read-host.js'
import { judge } from './read-pull-state.js'
import { readChecks, Readings, readReviews } from './read-verdicts.js'

const maxStatuses = 100

const read = async (access: Access, name: RepositoryName, number: number) => {
  const pull = await access.client.read('GET /repos/{owner}/{repo}/pulls/{number}', { ...name, number }, HostPull)
    .catch((error: unknown): never => {
      throw isCode(error, 'codehost_not_found') ? CodehostNotFound('There is no such pull request') : error
    })
  const readings = new Readings()
  const [reviews, checks] = await Promise.all([
    readings.read(() => readReviews(access, name, number)),
    readings.read(() => readChecks(access, name, pull.data.head.sha, maxStatuses))
  ])
  return { pull, reviews, checks }
}

/** @returns a pull request with each check and each reviewer by name. @throws repo_not_found, codehost_not_found */
export const readPull = async (access: Access, id: string, number: number): Promise<PullDetail> => {
  const { found, result: { pull, reviews, checks } } =
    await inRepository(access, id, (name) => read(access, name, number))
  return {
    pull: describePull(pull.data, id, judge(pull.data, reviews.value, checks.value)),
    checks: checks.value && describeChecks(checks.value),
    reviews: reviews.value && describeReviews(reviews.value, pull.data),
    ...stalenessOf(found, pull, reviews, checks)
  }
}
