import type { PullDetail } from '../../../../schemas/codehost/pulls.js'
import { HostPull } from '../../../../schemas/codehost/upstream.js'
import type { Access } from '../access.js'
import { describePull } from './describe-pull.js'
import { CodehostBadResponse, CodehostNotFound } from '../errors.js'
import { inRepository, type RepositoryName } from '../repositories/find-repository.js'
import { isCode, stalenessOf } from '../read-host.js'
import { readVerdicts } from './read-pull-state.js'
import { describeReviews } from './verdicts.js'

const read = async (access: Access, name: RepositoryName, number: number) => {
  const pull = await access.client.read('GET /repos/{owner}/{repo}/pulls/{number}', { ...name, number }, HostPull)
    .catch((error: unknown): never => {
      throw isCode(error, 'codehost_not_found') ? CodehostNotFound('There is no such pull request') : error
    })
  const [state] = await readVerdicts(access, name, [pull.data], true)
  if (!state) throw CodehostBadResponse()
  return { pull, state }
}

/** @returns a pull request with each check and each reviewer by name. @throws repo_not_found, codehost_not_found */
export const readPull = async (access: Access, id: string, number: number): Promise<PullDetail> => {
  const { found, result: { pull, state } } = await inRepository(access, id, (name) => read(access, name, number))
  return {
    pull: describePull(pull.data, id, state),
    checks: state.checks,
    reviews: state.reviews && describeReviews(pull.data, state.reviews),
    ...stalenessOf(found, pull, state)
  }
}
