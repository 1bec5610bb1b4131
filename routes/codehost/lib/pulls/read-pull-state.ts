import type { HostPull } from '../../../../schemas/codehost/upstream.js'
import { ApiError } from '../../../../schemas/errors.js'
import type { Access } from '../access.js'
import type { RepositoryName } from '../repositories/find-repository.js'
import { pullsAtOnce, queryPulls, toVerdicts, type PullAnswer } from './query-verdicts.js'
import { isCode } from '../read-host.js'
import { oldest, readChecks, Readings, readReviews } from './read-verdicts.js'
import type { Verdicts } from './verdicts.js'

export interface JudgedPull extends Verdicts {
  mergeable: boolean | null
  mergeState: string | null
  staleSince: Date | null
}

const unknown: JudgedPull = { reviews: null, checks: null, mergeable: null, mergeState: null, staleSince: null }

/** By REST: three requests for each, where the host has no GraphQL. */
const readByRest = async (access: Access, name: RepositoryName, pull: HostPull, readings: Readings):
Promise<JudgedPull> => {
  const [reviews, checks] = await Promise.all([
    readings.read(() => readReviews(access, name, pull.number)),
    readings.read(() => readChecks(access, name, pull.head.sha))
  ])
  return { ...unknown, reviews: reviews.value, checks: checks.value, staleSince: oldest(reviews, checks) }
}

const mergeables: Record<string, boolean> = { MERGEABLE: true, CONFLICTING: false }

const fromAnswer = (answer: PullAnswer | undefined, pull: HostPull, staleSince: Date | null): JudgedPull => ({
  ...toVerdicts(answer, pull),
  mergeable: mergeables[answer?.node.mergeable ?? ''] ?? null,
  mergeState: answer?.node.mergeStateStatus ?? null,
  staleSince
})

/** A host without GraphQL, or with one that does not know these fields: Forgejo, Gitea, an old Enterprise Server. */
const hasNoGraphql = (error: unknown): boolean =>
  ['codehost_not_found', 'codehost_bad_response', 'codehost_validation'].some((code) => isCode(error, code))

/** @returns by GraphQL, at once; undefined where the host has none */
const readByQuery = async (access: Access, pulls: HostPull[], one: boolean): Promise<JudgedPull[] | undefined> => {
  if (!pulls.every(({ node_id: id }) => id)) return undefined
  try {
    const { answers, staleSince } = await queryPulls(access, pulls, one)
    return pulls.map((pull, index) => fromAnswer(answers[index], pull, staleSince))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return hasNoGraphql(error) ? undefined : pulls.map(() => unknown)
  }
}

const parallel = 4

/** @returns what was read of each, at most four at once */
const inTurn = async <T, R>(items: T[], read: (item: T) => Promise<R>): Promise<R[]> => {
  const found: R[] = []
  const left = [...items.entries()]
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) found[next[0]] = await read(next[1])
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return found
}

const readSome = async (access: Access, name: RepositoryName, pulls: HostPull[], one: boolean, readings: Readings) =>
  await readByQuery(access, pulls, one) ?? inTurn(pulls, (pull) => readByRest(access, name, pull, readings))

/**
 * Reads reviews and checks of pull requests: one query for 25 of them, and three conditional requests for each where
 * the host has no GraphQL.
 * @param one there is one, and of its checks it is read which are required
 * @returns one state for each, with null where the code host does not answer
 */
export const readVerdicts = async (access: Access, name: RepositoryName, pulls: HostPull[], one = false):
Promise<JudgedPull[]> => {
  const readings = new Readings()
  const chunks = Array.from({ length: Math.ceil(pulls.length / pullsAtOnce) }, (_, i) =>
    pulls.slice(i * pullsAtOnce, (i + 1) * pullsAtOnce))
  const states: JudgedPull[] = []
  for (const chunk of chunks) states.push(...await readSome(access, name, chunk, one, readings))
  return states
}
