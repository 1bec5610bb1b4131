import { toWebLink } from '../../../../lib/http/web-link.js'
import type { PullCheck, PullReviews } from '../../../../schemas/codehost/pulls.js'
import {
  HostPullNodes, type ContextNode, type HostPull, type PullNode, type ReviewNode
} from '../../../../schemas/codehost/upstream.js'
import type { Access } from '../access.js'
import { CodehostBadResponse } from '../errors.js'
import { nameOf, runState, sortChecks, statusState, type Review, type Reviews, type Verdicts } from './verdicts.js'

/** Which pull requests one query reads; a larger one may take the host longer than it lets queries run. */
export const pullsAtOnce = 25

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
export interface PullAnswer { node: PullNode, missing: Set<string> }

/** @returns by position; undefined where the host does not show it. @throws as `query` does; codehost_bad_response */
export const queryPulls = async ({ client }: Access, pulls: HostPull[], one: boolean) => {
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
export const toVerdicts = (answer: PullAnswer | undefined, { head }: HostPull): Verdicts =>
  answer ? { reviews: reviewsOf(answer), checks: checksOf(answer, head.sha) } : { reviews: null, checks: null }
