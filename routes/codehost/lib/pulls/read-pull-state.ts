import { toWebLink } from '../../../../lib/http/addresses.js'
import {
  type PullCheck, type PullReviews, mergeStates, type PullRequest, type PullDetail
} from '../../../../schemas/codehost/pulls.js'
import {
  HostPull, HostPullNodes, type ContextNode, type PullNode, type ReviewNode
} from '../../../../schemas/codehost/upstream.js'
import { ApiError } from '../../../../schemas/errors.js'
import { isOneOf } from '../../../../schemas/unknown.js'
import { type Access, CodehostBadResponse, CodehostNotFound } from '../access.js'
import { isCode, parseTime, toTime, stalenessOf } from '../read-host.js'
import { type RepositoryName, inRepository } from '../repositories/find-repository.js'
import { oldest, readChecks, Readings, readReviews } from './read-verdicts.js'
import {
  type Verdicts, nameOf, runState, sortChecks, statusState, type Review, type Reviews, countChecks, countReviews,
  describeReviews
} from './verdicts.js'

const maxExcerpt = 500

const stateOf = ({ state, merged_at }: HostPull): PullRequest['state'] => {
  if (merged_at) return 'merged'
  return state === 'open' ? 'open' : 'closed'
}

const excerptOf = ({ body }: HostPull): string | null =>
  body ? body.slice(0, maxExcerpt).toWellFormed() : null

const names = (values: (string | null | undefined)[]): string[] => values.flatMap((value) => value ? [value] : [])

const mergeStateOf = (word: string | null | undefined): PullRequest['merge_state'] => {
  const text = word?.toLowerCase()
  return isOneOf(mergeStates, text) ? text : null
}

/** What is known of a pull request beside what lists have of it. */
export interface PullState extends Verdicts { mergeable?: boolean | null, mergeState?: string | null }

export const describePull = (host: HostPull, repoId: string, state: PullState): PullRequest => ({
  id: String(host.id),
  number: host.number,
  repo_id: repoId,
  title: host.title,
  body_excerpt: excerptOf(host),
  state: stateOf(host),
  draft: host.draft ?? false,
  author: host.user?.login || null,
  head: { ref: host.head.ref, sha: host.head.sha, repo_id: host.head.repo ? String(host.head.repo.id) : null },
  base: { ref: host.base.ref, sha: host.base.sha },
  labels: names((host.labels ?? []).map(({ name }) => name)),
  requested_reviewers: names((host.requested_reviewers ?? []).map(({ login }) => login)),
  requested_teams: names((host.requested_teams ?? []).map(({ slug, name }) => slug ?? name)),
  mergeable: host.mergeable ?? state.mergeable ?? null,
  merge_state: mergeStateOf(host.mergeable_state ?? state.mergeState),
  reviews: state.reviews && countReviews(host, state.reviews),
  checks: state.checks && countChecks(state.checks),
  created_at: parseTime(host.created_at),
  updated_at: parseTime(host.updated_at),
  closed_at: toTime(host.closed_at),
  merged_at: toTime(host.merged_at),
  // Before it is merged the host names a trial of the merge, which no branch has.
  merge_commit_sha: host.merged_at ? host.merge_commit_sha ?? null : null,
  html_url: toWebLink(host.html_url)
})

/** Which pull requests one query reads; a larger one may take the host longer than it lets queries run. */
const pullsAtOnce = 25

/** @param one whether it is about one pull request: only for that one a check says whether it is required */
const documentOf = (one: boolean): string => {
  const required = one ? ' isRequired(pullRequestId: $pull)' : ''
  const review = 'author { login } authorCanPushToRepository state submittedAt url commit { oid }'
  return `query PullVerdicts($ids: [ID!]!${one ? ', $pull: ID!' : ''}) {
  nodes(ids: $ids) {
    ... on PullRequest {
      headRefOid
      mergeable
      mergeStateStatus
      reviewDecision
      latestOpinionatedReviews(first: 100) { totalCount nodes { ${review} } }
      latestReviews(first: 100) { totalCount nodes { ${review} } }
      commits(last: 1) { nodes { commit { oid statusCheckRollup { contexts(first: 100) { totalCount nodes {
        ... on CheckRun { name status conclusion detailsUrl permalink${required} }
        ... on StatusContext { context state targetUrl${required} }
      } } } } } }
    }
  }
}`
}

export const documents = { list: documentOf(false), one: documentOf(true) }

/** What GraphQL said of one pull request; `missing`: the fields that it could not read. */
interface PullAnswer { node: PullNode, missing: Set<string> }

/** @returns by position; undefined where the host does not show it. @throws as `query` does; codehost_bad_response */
const queryPulls = async ({ client }: Access, pulls: HostPull[], one: boolean) => {
  const ids = pulls.map(({ node_id: id }) => id)
  const answer = await client.query(one ? documents.one : documents.list, { ids, ...(one && { pull: ids[0] }) },
    HostPullNodes)
  const { data, errors } = answer.data
  if (!data) throw CodehostBadResponse('The code host does not answer this query')
  const answers = data.nodes.map((node, index): PullAnswer | undefined => node
    ? { node, missing: new Set((errors ?? []).flatMap(({ path }) => path?.[1] === index ? [String(path[2])] : [])) }
    : undefined)
  return { answers, staleSince: answer.staleSince }
}

const verdictOf: Record<string, Review['verdict']> =
  { APPROVED: 'approved', CHANGES_REQUESTED: 'changes_requested', DISMISSED: 'dismissed', COMMENTED: 'commented' }

const toReview = (node: ReviewNode | null): Review[] => {
  const verdict = verdictOf[node?.state ?? '']
  return !node || !verdict
    ? []
    : [{
        reviewer: node.author?.login ?? null,
        verdict,
        commit: node.commit?.oid ?? null,
        may_write: node.authorCanPushToRepository ?? null,
        submitted_at: node.submittedAt ?? null,
        url: node.url ?? null
      }]
}

const isWhole = ({ totalCount, nodes }: { totalCount: number, nodes: unknown[] }): boolean =>
  totalCount === nodes.length

const decisions: Record<string, PullReviews['decision']> =
  { APPROVED: 'approved', CHANGES_REQUESTED: 'changes_requested', REVIEW_REQUIRED: 'review_required' }

/** Who has only commented is in the second list, from which the host leaves out who was asked again. */
const reviewsOf = ({ node, missing }: PullAnswer): Reviews | null => {
  const { latestOpinionatedReviews: opinions, latestReviews: latest, reviewDecision: decision } = node
  const isMissing = ['latestOpinionatedReviews', 'latestReviews', 'reviewDecision'].some((name) => missing.has(name))
  if (isMissing || !opinions || !latest || !isWhole(opinions) || !isWhole(latest)) return null
  const given = opinions.nodes.flatMap(toReview)
  const names = new Set(given.map(({ reviewer }) => reviewer))
  const others = latest.nodes.flatMap(toReview)
    .filter(({ verdict, reviewer }) => verdict === 'commented' && (reviewer === null || !names.has(reviewer)))
  return { given: [...given, ...others], decision: decisions[decision ?? ''] ?? null }
}

const toCheck = (node: ContextNode): PullCheck => {
  const required = node.isRequired ?? null
  if (typeof node.context === 'string') {
    return {
      name: nameOf(node.context), state: statusState(node.state ?? ''), required, html_url: toWebLink(node.targetUrl)
    }
  }
  return {
    name: nameOf(node.name),
    state: runState(node.status ?? '', node.conclusion ?? ''),
    required,
    html_url: toWebLink(node.permalink) ?? toWebLink(node.detailsUrl)
  }
}

/** Of the head that the list named, and not of a commit that was pushed since. */
const checksOf = ({ node: { commits }, missing }: PullAnswer, head: string): PullCheck[] | null => {
  const last = commits?.nodes[0]?.commit
  if (missing.has('commits') || last?.oid !== head) return null
  const { contexts } = last.statusCheckRollup ?? {}
  if (!contexts) return []
  return isWhole(contexts) ? sortChecks(contexts.nodes.flatMap((node) => node ? [toCheck(node)] : [])) : null
}

/** @returns what it says; null where it says nothing, or not all */
const toVerdicts = (answer: PullAnswer | undefined, { head }: HostPull): Verdicts =>
  answer ? { reviews: reviewsOf(answer), checks: checksOf(answer, head.sha) } : { reviews: null, checks: null }

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
