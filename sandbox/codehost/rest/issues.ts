import { notFound } from '../core/errors.js'
import { ok, operation, repositoryOf, type Call } from '../core/operation.js'
import { showIssue } from './pull-views.js'
import { contextOf } from './repositories.js'

function getIssue (call: Call) {
  const repository = repositoryOf(call)
  const number = Number(call.params.number)
  const issue = repository.issues.get(number) ?? repository.pulls.get(number)
  if (!issue) throw notFound()
  return ok(showIssue(contextOf(call), repository, issue))
}

export const issueOperations = [
  operation('getIssue', 'GET', '{repo}/issues/{number}', getIssue, { auth: 'any' })
]
