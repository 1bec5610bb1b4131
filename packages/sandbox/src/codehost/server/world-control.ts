import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { mergePull, openPull, reviewPull, setPullState } from '../actions/pulls.js'
import { deleteBranch, moveBranch, pushCommit } from '../actions/refs.js'
import { changeRepository, createRepository, deleteRepository, forkRepository } from '../actions/repositories.js'
import { findWorkflow } from '../actions/runs.js'
import { accountNamed, nextNumber, type Pull, type Repository } from '../core/world.js'
import { settle } from '../hooks/deliver.js'
import type { Sandbox } from '../sandbox.js'
import { named, stage, Unknown } from './control-stage.js'

const literals = <T extends string>(...values: T[]) => Type.Union(values.map((value) => Type.Literal(value)))
const of = { repository: Type.String(), login: Type.Optional(Type.String()) }
const closed = { additionalProperties: false }

const NewCommit = Type.Object({
  ...of,
  branch: Type.String({ default: 'main' }),
  from: Type.Optional(Type.String()),
  message: Type.String({ default: 'Change something' }),
  files: Type.Record(Type.String(), Type.Union([
    Type.String(), Type.Null(), Type.Object({ text: Type.String(), mode: Type.String() }, closed)
  ]), { default: {} })
}, closed)
const Move = Type.Object({
  ...of, branch: Type.String(), sha: Type.Union([Type.String(), Type.Null()]), force: Type.Boolean({ default: false })
}, closed)
const NewPull = Type.Object({
  ...of,
  title: Type.String(),
  head: Type.String(),
  base: Type.String({ default: 'main' }),
  body: Type.Optional(Type.String()),
  draft: Type.Optional(Type.Boolean())
}, closed)
const PullChange = Type.Object({ ...of, number: Type.Integer(), to: literals('merged', 'closed', 'open') }, closed)
const NewReview = Type.Object({
  ...of,
  number: Type.Integer(),
  state: literals('APPROVED', 'CHANGES_REQUESTED', 'COMMENTED'),
  body: Type.String({ default: '' })
}, closed)
const Asked = Type.Object({
  ...of,
  number: Type.Integer(),
  reviewers: Type.Array(Type.String(), { default: [] }),
  teams: Type.Array(Type.String(), { default: [] })
}, closed)
const Protection = Type.Object({
  ...of,
  branch: Type.String({ default: 'main' }),
  reviews: Type.Integer({ default: 0 }),
  checks: Type.Array(Type.String(), { default: [] })
}, closed)
const NewComment = Type.Object({
  ...of, number: Type.Integer(), body: Type.String(), at: Type.Optional(Type.String())
}, closed)
const WorkflowChange = Type.Object({
  repository: Type.String(),
  workflow: Type.String({ default: 'image.yml' }),
  outcome: Type.Optional(literals('success', 'failure', 'endless')),
  state: Type.Optional(literals('active', 'disabled_manually')),
  inputs: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()]))
}, closed)
const NewCheck = Type.Object({
  repository: Type.String(),
  sha: Type.String(),
  name: Type.String({ default: 'test' }),
  status: literals('queued', 'in_progress', 'completed'),
  conclusion: Type.Union([literals('success', 'failure', 'neutral', 'cancelled', 'skipped', 'timed_out'), Type.Null()])
}, closed)
const NewStatus = Type.Object({
  repository: Type.String(),
  sha: Type.String(),
  context: Type.String(),
  state: literals('error', 'failure', 'pending', 'success'),
  target_url: Type.Union([Type.String(), Type.Null()], { default: null })
}, closed)
const NewIssue = Type.Object({
  ...of,
  title: Type.String(),
  body: Type.Optional(Type.String()),
  state: Type.Union([Type.Literal('open'), Type.Literal('closed')], { default: 'open' }),
  labels: Type.Array(Type.String(), { default: [] })
}, closed)
const NewRepository = Type.Object({
  owner: Type.String(), name: Type.String(), private: Type.Boolean({ default: false })
}, closed)
const RepositoryChange = Type.Object({
  ...of,
  name: Type.Optional(Type.String()),
  private: Type.Optional(Type.Boolean()),
  archived: Type.Optional(Type.Boolean())
}, closed)

const pullOf = (repository: Repository, number: number): Pull => {
  const pull = repository.pulls.get(number)
  if (!pull) throw new Unknown(`No pull request ${number}`)
  return pull
}

/** Changes at the code host by others than Steward. Each request is answered after its webhooks are. */
export const worldControl: FastifyPluginAsyncTypebox<{ sandbox: Sandbox }> = async (app, { sandbox }) => {
  app.register(pullControl, { sandbox })
  app.register(reviewControl, { sandbox })
  app.register(issueControl, { sandbox })
  app.register(repositoryControl, { sandbox })

  app.post('/commits', { schema: { body: NewCommit } }, async (request) => {
    const { repository, login, ...input } = request.body
    const sha = pushCommit(stage(sandbox, request, login), named(sandbox, repository), input)
    await settle(sandbox)
    return { sha }
  })

  app.post('/branches', { schema: { body: Move } }, async (request) => {
    const { repository, login, branch, sha, force } = request.body
    const actor = stage(sandbox, request, login)
    if (sha === null) deleteBranch(actor, named(sandbox, repository), branch)
    else moveBranch(actor, named(sandbox, repository), branch, sha, force)
    await settle(sandbox)
    return { ok: true }
  })

  app.patch('/workflows', { schema: { body: WorkflowChange } }, async ({ body: { repository, workflow, ...change } }) => {
    const found = findWorkflow(named(sandbox, repository), workflow)
    if (!found) throw new Unknown(`No workflow ${workflow}`)
    return Object.assign(found, change)
  })

  app.post('/checks', { schema: { body: NewCheck } }, async ({ body: { repository, sha, ...check } }) => {
    const at = sandbox.world.clock.iso()
    const { checks } = named(sandbox, repository)
    checks.push({
      ...check,
      head_sha: sha,
      id: sandbox.world.nextId(),
      started_at: at,
      completed_at: check.status === 'completed' ? at : null
    })
    return { ok: true }
  })

  app.post('/statuses', { schema: { body: NewStatus } }, async ({ body: { repository, ...status } }) => {
    named(sandbox, repository).statuses.push(status)
    return { ok: true }
  })
}

const pullControl: FastifyPluginAsyncTypebox<{ sandbox: Sandbox }> = async (app, { sandbox }) => {
  app.post('/pulls', { schema: { body: NewPull } }, async (request) => {
    const { repository, login, ...input } = request.body
    const { number } = openPull(stage(sandbox, request, login), named(sandbox, repository), input)
    await settle(sandbox)
    return { number }
  })

  app.post('/comments', { schema: { body: NewComment } }, async (request) => {
    const { repository: name, login, number, body, at = sandbox.world.clock.iso() } = request.body
    const { comments } = named(sandbox, name)
    const { id: user_id } = stage(sandbox, request, login).actor
    const comment = { id: sandbox.world.nextId(), body, user_id, created_at: at }
    comments.set(number, [...comments.get(number) ?? [], comment])
    return { id: comment.id }
  })

  app.patch('/pulls', { schema: { body: PullChange } }, async (request) => {
    const { repository: name, login, number, to } = request.body
    const repository = named(sandbox, name)
    const actor = stage(sandbox, request, login)
    if (to === 'merged') mergePull(actor, repository, pullOf(repository, number))
    else setPullState(actor, repository, pullOf(repository, number), to)
    await settle(sandbox)
    return { ok: true }
  })

  app.post('/reviews', { schema: { body: NewReview } }, async (request) => {
    const { repository: name, login, number, state, body } = request.body
    const repository = named(sandbox, name)
    const { id } = reviewPull(stage(sandbox, request, login), repository, pullOf(repository, number), state, body)
    await settle(sandbox)
    return { id }
  })
}

/** What is asked of people, and what the branches demand. */
const reviewControl: FastifyPluginAsyncTypebox<{ sandbox: Sandbox }> = async (app, { sandbox }) => {
  app.put('/reviewers', { schema: { body: Asked } }, async ({ body: { repository, number, reviewers, teams } }) => {
    const ids = reviewers.flatMap((login) => accountNamed(sandbox.world, login)?.id ?? [])
    Object.assign(pullOf(named(sandbox, repository), number), { reviewers: ids, teams })
    return { ok: true }
  })

  app.put('/protection', { schema: { body: Protection } }, async ({ body }) => {
    const { repository, branch, reviews, checks } = body
    named(sandbox, repository).protection.set(branch, { reviews, checks })
    return { ok: true }
  })

  app.post('/forks', { schema: { body: Type.Object(of, closed) } }, async (request) => {
    const actor = stage(sandbox, request, request.body.login)
    const { id } = forkRepository(actor, named(sandbox, request.body.repository), actor.actor.id)
    return { id }
  })
}

const issueControl: FastifyPluginAsyncTypebox<{ sandbox: Sandbox }> = async (app, { sandbox }) => {
  app.post('/issues', { schema: { body: NewIssue } }, async (request) => {
    const { repository: name, login, body = null, ...input } = request.body
    const repository = named(sandbox, name)
    const [number, at] = [nextNumber(repository), sandbox.world.clock.iso()]
    repository.issues.set(number, {
      ...input,
      id: sandbox.world.nextId(),
      number,
      body,
      user_id: stage(sandbox, request, login).actor.id,
      created_at: at,
      updated_at: at,
      closed_at: input.state === 'closed' ? at : null
    })
    return { number }
  })
}

const repositoryControl: FastifyPluginAsyncTypebox<{ sandbox: Sandbox }> = async (app, { sandbox }) => {
  app.post('/repositories', { schema: { body: NewRepository } }, async (request) => {
    const { owner, name, private: isPrivate } = request.body
    const account = accountNamed(sandbox.world, owner)
    if (!account) throw new Unknown(`No owner ${owner}`)
    const { id } = createRepository(stage(sandbox, request), account.id, name, isPrivate)
    return { id }
  })

  app.patch('/repositories', { schema: { body: RepositoryChange } }, async (request) => {
    const { repository, login, ...change } = request.body
    changeRepository(stage(sandbox, request, login), named(sandbox, repository), change)
    await settle(sandbox)
    return { ok: true }
  })

  app.delete('/repositories', { schema: { body: Type.Object(of, closed) } }, async (request) => {
    const { repository, login } = request.body
    deleteRepository(stage(sandbox, request, login), named(sandbox, repository))
    await settle(sandbox)
    return { ok: true }
  })
}
