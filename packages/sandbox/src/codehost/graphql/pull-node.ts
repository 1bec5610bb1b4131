import { permissionOf, type CheckRun, type Pull, type Repository, type Review } from '../core/world.js'
import { fullNameOf } from '../core/world.js'
import { mergeStateOf, reviewDecisionOf } from '../core/rules.js'
import { latestStatuses } from '../rest/checks.js'
import { showReview } from '../rest/pull-views.js'
import type { Context } from '../rest/views.js'
import { connection, type Node } from './execute.js'

const opinions = ['APPROVED', 'CHANGES_REQUESTED', 'DISMISSED']

/** The last of each reviewer. */
const latest = (reviews: Review[]): Review[] => [...new Map(reviews.map((review) => [review.user_id, review])).values()]

function reviewNode (context: Context, repository: Repository, pull: Pull, review: Review): Node {
  const { user, html_url: url } = showReview(context, repository, pull, review)
  const permission = permissionOf(context.world, repository, review.user_id)
  return {
    __typename: 'PullRequestReview',
    author: user && { __typename: 'User', login: user.login },
    authorCanPushToRepository: permission === 'write' || permission === 'admin',
    state: review.state,
    submittedAt: review.submitted_at,
    url,
    commit: { __typename: 'Commit', oid: review.commit_id }
  }
}

function checkNode ({ origin, world }: Context, repository: Repository, pull: Pull, check: CheckRun): Node {
  const url = `${origin}/${fullNameOf(world, repository)}/runs/${check.id}`
  const { checks = [] } = repository.protection.get(pull.base.ref) ?? {}
  return {
    __typename: 'CheckRun',
    name: check.name,
    status: check.status.toUpperCase(),
    conclusion: check.conclusion?.toUpperCase() ?? null,
    detailsUrl: url,
    permalink: url,
    isRequired: () => checks.includes(check.name)
  }
}

function rollupOf (context: Context, repository: Repository, pull: Pull): Node | null {
  const { checks = [] } = repository.protection.get(pull.base.ref) ?? {}
  const { sha } = pull.head
  const runs = repository.checks.filter((check) => check.head_sha === sha)
    .map((check) => checkNode(context, repository, pull, check))
  const statuses = latestStatuses(repository, sha).map(({ context: name, state, target_url }): Node => ({
    __typename: 'StatusContext',
    context: name,
    state: state.toUpperCase(),
    targetUrl: target_url,
    isRequired: () => checks.includes(name)
  }))
  const contexts = [...runs, ...statuses]
  return contexts.length === 0
    ? null
    : { __typename: 'StatusCheckRollup', contexts: connection('StatusCheckRollupContext', contexts) }
}

/** A pull request as an object of the graph. */
export function pullNode (context: Context, repository: Repository, pull: Pull): Node {
  const reviewNodes = (reviews: Review[]) => connection('PullRequestReview',
    latest(reviews).map((review) => reviewNode(context, repository, pull, review)))
  const commit = { __typename: 'Commit', oid: pull.head.sha, statusCheckRollup: rollupOf(context, repository, pull) }
  return {
    __typename: 'PullRequest',
    id: `PR_${pull.id}`,
    number: pull.number,
    headRefOid: pull.head.sha,
    mergeable: { true: 'MERGEABLE', false: 'CONFLICTING', null: 'UNKNOWN' }[`${pull.mergeable}`],
    mergeStateStatus: mergeStateOf(context.world, repository, pull).toUpperCase(),
    reviewDecision: reviewDecisionOf(context.world, repository, pull),
    latestOpinionatedReviews: reviewNodes(pull.reviews.filter(({ state }) => opinions.includes(state))),
    latestReviews: reviewNodes(pull.reviews.filter(({ user_id: id }) => !pull.reviewers.includes(id))),
    commits: connection('PullRequestCommit', [{ __typename: 'PullRequestCommit', commit }])
  }
}
