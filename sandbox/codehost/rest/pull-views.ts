import { fullNameOf, type Issue, type Pull, type Repository, type Review } from '../core/world.js'
import { showAccount, showRepository, type Place } from './views.js'

const person = (place: Place, id: number | null) => {
  const found = id === null ? undefined : place.world.accounts.get(id)
  return found ? showAccount(place, found) : null
}

function showEnd (place: Place, repository: Repository | undefined, ownerId: number, ref: string, sha: string) {
  const owner = place.world.accounts.get(ownerId)
  return {
    label: `${owner?.login}:${ref}`,
    ref,
    sha,
    user: owner ? showAccount(place, owner) : null,
    repo: repository ? showRepository(place, repository) : null
  }
}

const label = (name: string, index: number) =>
  ({ id: 9000 + index, name, color: 'ededed', default: false, description: null })

/** A pull request as lists tell it. */
export function showPull (place: Place, repository: Repository, pull: Pull) {
  const { world, origin } = place
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
    user: person(place, pull.user_id),
    body: pull.body,
    created_at: pull.created_at,
    updated_at: pull.updated_at,
    closed_at: pull.closed_at,
    merged_at: pull.merged_at,
    merge_commit_sha: pull.merge_commit_sha,
    assignee: null,
    assignees: [],
    requested_reviewers: pull.reviewers.map((id) => person(place, id)),
    requested_teams: [],
    labels: pull.labels.map(label),
    milestone: null,
    draft: pull.draft,
    head: showEnd(place, headRepository, head.owner_id, head.ref, head.sha),
    base: showEnd(place, repository, repository.owner_id, base.ref, base.sha),
    author_association: 'MEMBER',
    auto_merge: null,
    active_lock_reason: null
  }
}

/** A pull request on its own: what costs the code host work to find out is told only here. */
export function showFullPull (place: Place, repository: Repository, pull: Pull) {
  const before = new Set(repository.git.history(pull.base.sha).map(({ sha }) => sha))
  const commits = repository.git.history(pull.head.sha).filter(({ sha }) => !before.has(sha))
  return {
    ...showPull(place, repository, pull),
    merged: pull.merged_at !== null,
    mergeable: pull.state === 'open' ? pull.mergeable : null,
    mergeable_state: pull.mergeable === false ? 'dirty' : 'clean',
    rebaseable: pull.mergeable,
    merged_by: person(place, pull.merged_by),
    comments: 0,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: commits.length,
    additions: 1,
    deletions: 0,
    changed_files: 1
  }
}

/** An issue, or a pull request as one: the host tells both under one address. */
export function showIssue (place: Place, repository: Repository, issue: Issue | Pull) {
  const { id, number, title, body, state, user_id, labels, created_at, updated_at, closed_at } = issue
  const isPull = 'head' in issue
  const name = fullNameOf(place.world, repository)
  const api = `${place.origin}/api/v3/repos/${name}`
  const html_url = `${place.origin}/${name}/${isPull ? 'pull' : 'issues'}/${number}`
  return {
    url: `${api}/issues/${number}`,
    html_url,
    id,
    number,
    title,
    body,
    state,
    state_reason: null,
    user: person(place, user_id),
    labels: labels.map(label),
    assignees: [],
    milestone: null,
    locked: false,
    comments: 0,
    created_at,
    updated_at,
    closed_at,
    author_association: 'MEMBER',
    ...(isPull && { draft: issue.draft, pull_request: { url: `${api}/pulls/${number}`, html_url } })
  }
}

export function showReview (place: Place, repository: Repository, pull: Pull, review: Review) {
  const url = `${place.origin}/${fullNameOf(place.world, repository)}/pull/${pull.number}`
  const { id, user_id, body, state, submitted_at, commit_id } = review
  return {
    id,
    node_id: `PRR_${id}`,
    user: person(place, user_id),
    body,
    state,
    html_url: `${url}#pullrequestreview-${id}`,
    pull_request_url: url,
    submitted_at,
    commit_id,
    author_association: 'MEMBER'
  }
}
