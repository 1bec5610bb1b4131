import { Type } from '@sinclair/typebox'
import { notFound, Refusal } from '../core/errors.js'
import { ok, operation, readBody, repositoryOf, userOf, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import { nextNumber, type Issue, type IssueComment, type Repository } from '../core/world.js'
import { showIssue } from './pull-views.js'
import { contextOf } from './repositories.js'

const NewComment = Type.Object({ body: Type.String({ minLength: 1 }) })

const NewIssue = Type.Object({
  title: Type.String({ minLength: 1 }), body: Type.Optional(Type.Union([Type.String(), Type.Null()]))
})
const Change = Type.Object({ state: Type.Union([Type.Literal('open'), Type.Literal('closed')]) })

const issueOf = (call: Call, repository: Repository) => {
  const number = Number(call.params.number)
  const issue = repository.issues.get(number) ?? repository.pulls.get(number)
  if (!issue) throw notFound()
  return issue
}

function getIssue (call: Call) {
  const repository = repositoryOf(call)
  return ok(showIssue(contextOf(call), repository, issueOf(call, repository)))
}

/** The code host lists pull requests among the issues, newest first. */
function listIssues (call: Call) {
  const repository = repositoryOf(call)
  const state = call.query.get('state') ?? 'open'
  const found = [...repository.issues.values(), ...repository.pulls.values()]
    .filter((issue) => state === 'all' || issue.state === state).sort((one, other) => other.number - one.number)
  return page(call, found.map((issue) => showIssue(contextOf(call), repository, issue)))
}

function createIssue (call: Call) {
  // Read permission is enough to report an issue.
  const repository = repositoryOf(call)
  if (repository.archived) throw new Refusal(403, 'Repository was archived so is read-only.')
  const { title, body = null } = readBody(call, NewIssue)
  const { world } = call.sandbox
  const [number, at] = [nextNumber(repository), world.clock.iso()]
  const issue: Issue = {
    id: world.nextId(),
    number,
    title,
    body,
    state: 'open',
    user_id: userOf(call).id,
    labels: [],
    created_at: at,
    updated_at: at,
    closed_at: null
  }
  repository.issues.set(number, issue)
  return { status: 201, body: showIssue(contextOf(call), repository, issue) }
}

function updateIssue (call: Call) {
  const repository = repositoryOf(call, 'write')
  const issue = repository.issues.get(Number(call.params.number))
  if (!issue) throw notFound()
  const at = call.sandbox.world.clock.iso()
  const { state } = readBody(call, Change)
  Object.assign(issue, { state, updated_at: at, closed_at: state === 'closed' ? at : null })
  return ok(showIssue(contextOf(call), repository, issue))
}

const showComment = (call: Call, repository: Repository, { id, body, user_id, created_at }: IssueComment) => {
  const { number, html_url: url } = showIssue(contextOf(call), repository, issueOf(call, repository))
  const author = call.sandbox.world.accounts.get(user_id)
  return {
    id,
    body,
    user: author ? { id: author.id, login: author.login, type: 'User' } : null,
    created_at,
    updated_at: created_at,
    html_url: `${url}#issuecomment-${id}`,
    issue_url: `${call.origin}/api/v3/repositories/${repository.id}/issues/${number}`
  }
}

/** The code host lists comments oldest first. */
function listComments (call: Call) {
  const repository = repositoryOf(call)
  const { number } = issueOf(call, repository)
  return page(call, (repository.comments.get(number) ?? []).map((comment) => showComment(call, repository, comment)))
}

function createComment (call: Call) {
  // Read permission is enough to comment.
  const repository = repositoryOf(call)
  const { number } = issueOf(call, repository)
  const { world } = call.sandbox
  const { body } = readBody(call, NewComment)
  const comment = { id: world.nextId(), body, user_id: userOf(call).id, created_at: world.clock.iso() }
  repository.comments.set(number, [...repository.comments.get(number) ?? [], comment])
  return { status: 201, body: showComment(call, repository, comment) }
}

export const issueOperations = [
  operation('listIssues', 'GET', '{repo}/issues', listIssues, { auth: 'any' }),
  operation('createIssue', 'POST', '{repo}/issues', createIssue),
  operation('updateIssue', 'PATCH', '{repo}/issues/{number}', updateIssue),
  operation('getIssue', 'GET', '{repo}/issues/{number}', getIssue, { auth: 'any' }),
  operation('listIssueComments', 'GET', '{repo}/issues/{number}/comments', listComments, { auth: 'any' }),
  operation('createIssueComment', 'POST', '{repo}/issues/{number}/comments', createComment)
]
