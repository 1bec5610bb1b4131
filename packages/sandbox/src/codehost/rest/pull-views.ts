import { fullNameOf, type Issue, type Pull, type Repository, type Review } from '../core/world.js'
import { associationOf, mergeStateOf } from '../core/rules.js'
import { showAccount, showRepository, type Context } from './views.js'

const person = (context: Context, id: number | null) => {
  const found = id === null ? undefined : context.world.accounts.get(id)
  return found ? showAccount(context, found) : null
}

function showEnd (context: Context, repository: Repository | undefined, ownerId: number, ref: string, sha: string) {
  const owner = context.world.accounts.get(ownerId)
  return {
    label: `${owner?.login}:${ref}`,
    ref,
    sha,
    user: owner ? showAccount(context, owner) : null,
    repo: repository ? showRepository(context, repository) : null
  }
}

const label = (name: string, index: number) =>
  ({ id: 9000 + index, name, color: 'ededed', default: false, description: null })

function teamsOf ({ world, origin }: Context, { owner_id }: Repository, { teams }: Pull) {
  const org = world.orgs.get(owner_id)
  return (org?.teams ?? []).filter(({ slug }) => teams.includes(slug)).map(({ id, slug, name }) => ({
    id,
    node_id: `T_${id}`,
    slug,
    name,
    description: null,
    privacy: 'closed',
    permission: 'push',
    url: `${origin}/api/v3/organizations/${owner_id}/team/${id}`,
    html_url: `${origin}/orgs/${org?.account.login}/teams/${slug}`,
    members_url: `${origin}/api/v3/organizations/${owner_id}/team/${id}/members{/member}`,
    repositories_url: `${origin}/api/v3/organizations/${owner_id}/team/${id}/repos`,
    parent: null
  }))
}

/** A pull request as in lists. */
export function showPull (context: Context, repository: Repository, pull: Pull) {
  const { world, origin } = context
  const name = fullNameOf(world, repository)
  const url = `${origin}/api/v3/repos/${name}/pulls/${pull.number}`
  const { head, base } = pull
  const headRepository = head.repo_id === null ? undefined : world.repositories.get(head.repo_id)
  return {
    url,
    id: pull.id,
    node_id: `PR_${pull.id}`,
    html_url: `${origin}/${name}/pull/${pull.number}`,
    diff_url: `${origin}/${name}/pull/${pull.number}.diff`,
    commits_url: `${url}/commits`,
    statuses_url: `${origin}/api/v3/repos/${name}/statuses/${head.sha}`,
    number: pull.number,
    state: pull.state,
    locked: false,
    title: pull.title,
    user: person(context, pull.user_id),
    body: pull.body,
    created_at: pull.created_at,
    updated_at: pull.updated_at,
    closed_at: pull.closed_at,
    merged_at: pull.merged_at,
    merge_commit_sha: pull.merge_commit_sha,
    assignee: null,
    assignees: [],
    requested_reviewers: pull.reviewers.map((id) => person(context, id)),
    requested_teams: teamsOf(context, repository, pull),
    labels: pull.labels.map(label),
    milestone: null,
    draft: pull.draft,
    head: showEnd(context, headRepository, head.owner_id, head.ref, head.sha),
    base: showEnd(context, repository, repository.owner_id, base.ref, base.sha),
    author_association: associationOf(world, repository, pull.user_id),
    auto_merge: null,
    active_lock_reason: null
  }
}

/** A single pull request, with the members that are expensive for the code host. */
export function showFullPull (context: Context, repository: Repository, pull: Pull) {
  const before = new Set(repository.git.history(pull.base.sha).map(({ sha }) => sha))
  const commits = repository.git.history(pull.head.sha).filter(({ sha }) => !before.has(sha))
  return {
    ...showPull(context, repository, pull),
    merged: pull.merged_at !== null,
    mergeable: pull.state === 'open' ? pull.mergeable : null,
    mergeable_state: mergeStateOf(context.world, repository, pull),
    rebaseable: pull.mergeable,
    merged_by: person(context, pull.merged_by),
    comments: 0,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: commits.length,
    additions: 1,
    deletions: 0,
    changed_files: 1
  }
}

/** An issue, or a pull request as an issue: the code host has both at one address. */
export function showIssue (context: Context, repository: Repository, issue: Issue | Pull) {
  const { id, number, title, body, state, user_id, labels, created_at, updated_at, closed_at } = issue
  const isPull = 'head' in issue
  const name = fullNameOf(context.world, repository)
  const api = `${context.origin}/api/v3/repos/${name}`
  const html_url = `${context.origin}/${name}/${isPull ? 'pull' : 'issues'}/${number}`
  return {
    url: `${api}/issues/${number}`,
    html_url,
    id,
    number,
    title,
    body,
    state,
    state_reason: null,
    user: person(context, user_id),
    labels: labels.map(label),
    assignees: [],
    milestone: null,
    locked: false,
    comments: repository.comments.get(number)?.length ?? 0,
    created_at,
    updated_at,
    closed_at,
    author_association: associationOf(context.world, repository, user_id),
    ...(isPull && { draft: issue.draft, pull_request: { url: `${api}/pulls/${number}`, html_url } })
  }
}

export function showReview (context: Context, repository: Repository, pull: Pull, review: Review) {
  const url = `${context.origin}/${fullNameOf(context.world, repository)}/pull/${pull.number}`
  const { id, user_id, body, state, submitted_at, commit_id } = review
  return {
    id,
    node_id: `PRR_${id}`,
    user: person(context, user_id),
    body,
    state,
    html_url: `${url}#pullrequestreview-${id}`,
    pull_request_url: url,
    submitted_at,
    commit_id,
    author_association: associationOf(context.world, repository, user_id)
  }
}
