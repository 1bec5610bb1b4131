import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { deleteDestination, listLetters } from '../../db/record/destinations.js'
import { paginateById } from '../../lib/http/paginate.js'
import type { Access } from '../../lib/security/principal.js'
import { InvalidCursor } from '../../schemas/errors.js'
import {
  AddAuditDestination, AddedAuditDestination, AuditDeadLetters, AuditDestination, AuditDestinations, DeadLetterParams,
  DestinationParams, ForwardingTest, ListDeadLetters, UpdateAuditDestination
} from '../../schemas/record/destinations.js'
import {
  addDestination, changeDestination, requireDestination, showDestination, showDestinations, resend, sendTest
} from './lib/change-destination.js'
import { DeadLetterNotFound, DestinationInvalid, DestinationNotFound, TooManyDestinations } from './lib/errors.js'

const reads: Access = { scope: 'account:read', role: 'admin' }
const writes: Access = { scope: 'account:write', role: 'admin' }
const tags = ['account']

const letters: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/account/audit/destinations/:destination_id/dead-letters', {
    config: { access: reads, errors: [InvalidCursor, DestinationNotFound] },
    schema: {
      operationId: 'listAuditDeadLetters',
      summary: 'What a destination did not take',
      description: 'Deliveries that were set aside, newest first. What they have is still in the record.',
      tags,
      params: DestinationParams,
      querystring: ListDeadLetters,
      response: { 200: AuditDeadLetters }
    }
  }, async ({ principal, params: { destination_id: id }, query }) => {
    await requireDestination(app.db, principal.workspace_id, id)
    return paginateById(app, { principal, list: 'audit-dead-letters', filter: id, query },
      (slice) => listLetters(app.db, principal.workspace_id, id, slice))
  })

  app.post('/account/audit/destinations/:destination_id/dead-letters/:letter_id/resend', {
    config: { access: writes, errors: [DestinationNotFound, DeadLetterNotFound] },
    schema: {
      operationId: 'resendAuditDeadLetter',
      summary: 'Deliver a dead letter again',
      description: 'Once, now. When it is delivered, it is gone from the list.',
      tags,
      params: DeadLetterParams,
      response: { 200: ForwardingTest }
    }
  }, ({ principal, params }) => resend(app, principal.workspace_id, params.destination_id, params.letter_id))
}

const destinations: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/account/audit/destinations', {
    config: { access: reads },
    schema: {
      operationId: 'listAuditDestinations',
      summary: 'Where the record is forwarded to',
      description: 'With how far each has come, and what keeps it.',
      tags,
      response: { 200: AuditDestinations }
    }
  }, async ({ principal }) => ({ items: await showDestinations(app.db, principal.workspace_id) }))

  app.post('/account/audit/destinations', {
    config: { access: writes, encrypted: true, errors: [DestinationInvalid, TooManyDestinations] },
    schema: {
      operationId: 'addAuditDestination',
      summary: 'Forward the record',
      description: 'To a signed webhook (Standard Webhooks), to syslog (RFC 5424 over TCP or TLS), or as OTLP ' +
        'logs over HTTP: each entry at least once, in order. Checkpoints alone are proof that lies elsewhere.',
      tags,
      body: AddAuditDestination,
      response: { 201: AddedAuditDestination }
    }
  }, async ({ principal: { workspace_id: workspaceId }, body }, reply) => {
    const { id, secret } = await addDestination(app, workspaceId, body)
    reply.code(201).header('cache-control', 'no-store')
    return { destination: await showDestination(app.db, workspaceId, id), secret }
  })

  app.patch('/account/audit/destinations/:destination_id', {
    config: { access: writes, errors: [DestinationNotFound, DestinationInvalid] },
    schema: {
      operationId: 'updateAuditDestination',
      summary: 'Change a destination',
      description: 'What is not named stays. It is tried at once.',
      tags,
      params: DestinationParams,
      body: UpdateAuditDestination,
      response: { 200: AuditDestination }
    }
  }, async ({ principal: { workspace_id: workspaceId }, params: { destination_id: id }, body }) => {
    await changeDestination(app, workspaceId, id, body)
    return showDestination(app.db, workspaceId, id)
  })

  app.delete('/account/audit/destinations/:destination_id', {
    config: { access: writes, errors: [DestinationNotFound] },
    schema: {
      operationId: 'removeAuditDestination',
      summary: 'Forward the record there no more',
      description: 'With its secret and its dead letters. The record itself stays.',
      tags,
      params: DestinationParams,
      response: { 204: Type.Null({ description: 'Removed' }) }
    }
  }, async ({ principal, params }, reply) => {
    if (!await deleteDestination(app.db, principal.workspace_id, params.destination_id)) throw DestinationNotFound()
    return reply.code(204).send(null)
  })

  app.post('/account/audit/destinations/:destination_id/test', {
    config: { access: writes, errors: [DestinationNotFound] },
    schema: {
      operationId: 'testAuditDestination',
      summary: 'Send a test to a destination',
      description: 'One message of the type `test`, now; and whether it was taken.',
      tags,
      params: DestinationParams,
      response: { 200: ForwardingTest }
    }
  }, ({ principal, params }) => sendTest(app, principal.workspace_id, params.destination_id))

  await app.register(letters)
}

export default destinations
