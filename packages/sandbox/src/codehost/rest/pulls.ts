import { Type } from '@sinclair/typebox'
import { mergePull, openPull, reviewPull, setPullState } from '../actions/pulls.js'
import { notFound } from '../core/errors.js'
import { ok, operation, readBody, repositoryOf, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import type { Pull, Repository } from '../core/world.js'
import { changesOf } from './changes.js'
import { showFullPull, showPull, showReview } from './pull-views.js'
import { contextOf } from './repositories.js'
import { stageOf } from './stage.js'
import { showCommit } from './views.js'

const Text = Type.Union([Type.String(), Type.Null()])
const NewPull = Type.Object({
  title: Type.String({ minLength: 1 }),
  head: Type.String(),
  base: Type.String(),
  body: Type.Optional(Text),
  draft: Type.Optional(Type.Boolean())
})
const State = Type.Union([Type.Literal('open'), Type.Literal('closed')])
const Change = Type.Object({
  title: Type.Optional(Type.String()), body: Type.Optional(Text), state: Type.Optional(State)
})
const NewReview = Type.Object({
  body: Type.Optional(Type.String()),
  event: Type.Union([Type.Literal('APPROVE'), Type.Literal('REQUEST_CHANGES'), Type.Literal('COMMENT')])
})
const states = { APPROVE: 'APPROVED', REQUEST_CHANGES: 'CHANGES_REQUESTED', COMMENT: 'COMMENTED' } as const

const times: Record<string, (pull: Pull) => string> = {
  created: (pull) => pull.created_at,
  updated: (pull) => pull.updated_at
}

function listPulls (call: Call) {
  const repository = repositoryOf(call)
  const { query, sandbox: { world } } = call
  const state = query.get('state') ?? 'open'
  const head = query.get('head')
  const base = query.get('base')
  const sort = query.get('sort') ?? 'created'
  const direction = query.get('direction') ?? (sort === 'created' ? 'desc' : 'asc')
  const key = times[sort] ?? times.created!
  const labelOf = (pull: Pull) => `${world.accounts.get(pull.head.owner_id)?.login}:${pull.head.ref}`
  const found = [...repository.pulls.values()].filter((pull) =>
    (state === 'all' || pull.state === state) && (!base || pull.base.ref === base) && (!head || labelOf(pull) === head))
  found.sort((a, b) => key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.number - b.number)
  if (direction === 'desc') found.reverse()
  return page(call, found.map((pull) => showPull(contextOf(call), repository, pull)))
}

export function pullOf (call: Call, repository: Repository): Pull {
  const pull = repository.pulls.get(Number(call.params.number))
  if (!pull) throw notFound()
  return pull
}

function getPull (call: Call) {
  const repository = repositoryOf(call)
  return ok(showFullPull(contextOf(call), repository, pullOf(call, repository)))
}

function createPull (call: Call) {
  // Read permission is enough for a proposal.
  const repository = repositoryOf(call)
  const pull = openPull(stageOf(call), repository, readBody(call, NewPull))
  return { status: 201, body: showFullPull(contextOf(call), repository, pull) }
}

function updatePull (call: Call) {
  const repository = repositoryOf(call, 'write')
  const pull = pullOf(call, repository)
  const { title, body, state } = readBody(call, Change)
  Object.assign(pull, { ...(title !== undefined && { title }), ...(body !== undefined && { body }) })
  if (state) setPullState(stageOf(call), repository, pull, state)
  return ok(showFullPull(contextOf(call), repository, pull))
}

function merge (call: Call) {
  const repository = repositoryOf(call, 'write')
  const sha = mergePull(stageOf(call), repository, pullOf(call, repository))
  return ok({ sha, merged: true, message: 'Pull Request successfully merged' })
}

function commitsOf ({ git }: Repository, { head, base }: Pull) {
  const before = new Set(git.history(base.sha).map(({ sha }) => sha))
  return git.history(head.sha).filter(({ sha }) => !before.has(sha)).reverse()
}

function listPullCommits (call: Call) {
  const repository = repositoryOf(call)
  const commits = commitsOf(repository, pullOf(call, repository))
  return page(call, commits.map((commit) => showCommit(contextOf(call), repository, commit)))
}

function listPullFiles (call: Call) {
  const repository = repositoryOf(call)
  const pull = pullOf(call, repository)
  const head = repository.git.commits.get(pull.head.sha)
  return page(call, head ? changesOf(repository, { ...head, parents: [pull.base.sha] }).files : [])
}

function listReviews (call: Call) {
  const repository = repositoryOf(call)
  const pull = pullOf(call, repository)
  return page(call, pull.reviews.map((review) => showReview(contextOf(call), repository, pull, review)))
}

function createReview (call: Call) {
  const repository = repositoryOf(call)
  const pull = pullOf(call, repository)
  const { body = '', event } = readBody(call, NewReview)
  const review = reviewPull(stageOf(call), repository, pull, states[event], body)
  return ok(showReview(contextOf(call), repository, pull, review))
}

export const pullOperations = [
  operation('listPulls', 'GET', '{repo}/pulls', listPulls, { auth: 'any' }),
  operation('createPull', 'POST', '{repo}/pulls', createPull),
  operation('getPull', 'GET', '{repo}/pulls/{number}', getPull, { auth: 'any' }),
  operation('updatePull', 'PATCH', '{repo}/pulls/{number}', updatePull),
  operation('mergePull', 'PUT', '{repo}/pulls/{number}/merge', merge),
  operation('listPullCommits', 'GET', '{repo}/pulls/{number}/commits', listPullCommits, { auth: 'any' }),
  operation('listPullFiles', 'GET', '{repo}/pulls/{number}/files', listPullFiles, { auth: 'any' }),
  operation('listReviews', 'GET', '{repo}/pulls/{number}/reviews', listReviews, { auth: 'any' }),
  operation('createReview', 'POST', '{repo}/pulls/{number}/reviews', createReview)
]
