import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listFirings, showFiring } from '../../db/agent/firings.js'
import { deleteTrigger, listTriggers } from '../../db/agent/triggers.js'
import { paginateById } from '../../lib/http/paginate.js'
import { InvalidCursor } from '../../schemas/errors.js'
import { etag, explainMiss, IfMatch, StaleRevision } from '../../schemas/revisions.js'
import {
  CreateTrigger, Firing, FiringPage, ListFirings, ListTriggers, NewTrigger, Trigger, TriggerPage, TriggerParams,
  UpdateTrigger
} from '../../schemas/agent/triggers.js'
import { ScheduleInvalid, TooManyTriggers, TriggerInvalid, TriggerNotFound } from './lib/errors.js'
import { scheduleTrigger, tryNow } from './lib/triggers/fire-trigger.js'
import {
  changeTrigger, createTrigger, describeTrigger, requireTrigger, requireTriggerRevision
} from './lib/triggers/make-trigger.js'
import { ownWrites, proposes } from './lib/access.js'

const tags = ['agent']

const triggers: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/triggers', {
    config: { errors: [InvalidCursor] },
    schema: {
      operationId: 'listTriggers',
      summary: 'My schedules and triggers',
      description: 'What begins runs of the assistant without a person typing, newest first. Never a secret.',
      tags,
      querystring: ListTriggers,
      response: { 200: TriggerPage }
    }
  }, async ({ principal, query }) => {
    const { workspace_id, user_id } = principal
    const page = await paginateById(app, { principal, list: 'triggers', query },
      (slice) => listTriggers(app.db, workspace_id, user_id, slice))
    return { ...page, items: page.items.map((row) => describeTrigger(app, row)) }
  })

  app.post('/triggers', {
    config: { access: proposes, errors: [ScheduleInvalid, TriggerInvalid, TooManyTriggers] },
    schema: {
      operationId: 'createTrigger',
      summary: 'Make a schedule or a trigger',
      description: 'Its runs act as me, with the rights that I have then, and only read: a write that they propose ' +
        'waits in my approvals. Each run ends in a report. A secret that Steward makes is answered this once.',
      tags,
      body: CreateTrigger,
      response: { 201: NewTrigger }
    }
  }, async ({ principal, body }, reply) => {
    const { row, secret } = await createTrigger(app, principal, body)
    await scheduleTrigger(app, row)
    reply.code(201).header('etag', etag(row.revision)).header('location', `/api/v1/agent/triggers/${row.id}`)
    return { ...describeTrigger(app, row), secret }
  })

  app.get('/triggers/:trigger_id', {
    config: { errors: [TriggerNotFound] },
    schema: {
      operationId: 'getTrigger',
      summary: 'One schedule or trigger',
      description: 'With its next time, and with the reason where Steward has turned it off.',
      tags,
      params: TriggerParams,
      response: { 200: Trigger }
    }
  }, async ({ principal, params }, reply) => {
    const row = await requireTrigger(app, principal, params.trigger_id)
    reply.header('etag', etag(row.revision))
    return describeTrigger(app, row)
  })

  app.patch('/triggers/:trigger_id', {
    config: { access: proposes, errors: [TriggerNotFound, ScheduleInvalid, TriggerInvalid, StaleRevision] },
    schema: {
      operationId: 'updateTrigger',
      summary: 'Change a schedule or a trigger',
      description: 'From then on its runs have the rights of whoever changed it. Kind and source stay.',
      tags,
      params: TriggerParams,
      headers: IfMatch,
      body: UpdateTrigger,
      response: { 200: Trigger }
    }
  }, async ({ principal, params, body, headers }, reply) => {
    const row = await requireTrigger(app, principal, params.trigger_id)
    requireTriggerRevision(row, headers['if-match'])
    const changed = await changeTrigger(app, row, principal, body)
    await scheduleTrigger(app, changed)
    reply.header('etag', etag(changed.revision))
    return describeTrigger(app, changed)
  })

  app.delete('/triggers/:trigger_id', {
    config: { access: ownWrites, errors: [TriggerNotFound, StaleRevision] },
    schema: {
      operationId: 'deleteTrigger',
      summary: 'Delete a schedule or a trigger',
      description: 'Its sessions stay; the list of what set it off goes with it, and with that its reports.',
      tags,
      params: TriggerParams,
      headers: IfMatch,
      response: { 204: { type: 'null', description: 'Deleted' } }
    }
  }, async ({ principal, params, headers }, reply) => {
    const row = await requireTrigger(app, principal, params.trigger_id)
    requireTriggerRevision(row, headers['if-match'])
    if (!await deleteTrigger(app.db, row)) throw explainMiss({ revision: row.revision + 1 })
    return reply.code(204).send(null)
  })

  app.post('/triggers/:trigger_id/run', {
    config: { access: proposes, errors: [TriggerNotFound] },
    schema: {
      operationId: 'runTrigger',
      summary: 'Try a schedule or a trigger now',
      description: 'Begins a run as if it was due, without an alert; also of one that is off. It counts in the day.',
      tags,
      params: TriggerParams,
      response: { 202: Firing }
    }
  }, async ({ principal, params }, reply) => {
    const row = await requireTrigger(app, principal, params.trigger_id)
    const id = await tryNow(app, row)
    return reply.code(202).send(await showFiring(app.db, principal.workspace_id, id))
  })

  app.get('/triggers/:trigger_id/firings', {
    config: { errors: [TriggerNotFound, InvalidCursor] },
    schema: {
      operationId: 'listFirings',
      summary: 'What set a trigger off',
      description: 'Newest first: each with its run and its report, or why it began none. They are kept for 90 days.',
      tags,
      params: TriggerParams,
      querystring: ListFirings,
      response: { 200: FiringPage }
    }
  }, async ({ principal, params, query }) => {
    const { id, workspace_id } = await requireTrigger(app, principal, params.trigger_id)
    return paginateById(app, { principal, list: 'firings', filter: id, query },
      (slice) => listFirings(app.db, workspace_id, id, slice))
  })
}

export default triggers
