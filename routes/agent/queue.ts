import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { deleteQueued } from '../../db/agent/queue.js'
import { defineDueJobs } from '../../lib/durable/due-jobs.js'
import { QueuedMessage, QueueMessage } from '../../schemas/agent/chat.js'
import { SessionParams } from '../../schemas/agent/sessions.js'
import { Id } from '../../schemas/common.js'
import {
  AttachmentNotFound, MessageTooLarge, ProjectNotFound, QueuedNotFound, SessionNotFound, TooManyQueued
} from './lib/errors.js'
import { queuedMessages, queueMessage } from './lib/sessions/queue-message.js'
import { requireSession } from './lib/sessions/show-sessions.js'
import { ownWrites } from './lib/access.js'

const tags = ['agent']

const queue: FastifyPluginAsyncTypebox = async (app) => {
  defineDueJobs(app, queuedMessages)

  app.post('/sessions/:session_id/queue', {
    config: {
      access: ownWrites,
      errors: [SessionNotFound, TooManyQueued, ProjectNotFound, MessageTooLarge, AttachmentNotFound],
      assistant: true
    },
    schema: {
      operationId: 'queueChatMessage',
      summary: 'Send a message when the live run has ended',
      description: 'Up to ten messages wait in a session, also while its run waits for approvals, and are sent one ' +
        'after the other, however a run ends; at once when none is live. Follow the session\'s stream to read what ' +
        'comes of it.',
      tags,
      params: SessionParams,
      body: QueueMessage,
      response: { 201: QueuedMessage }
    }
  }, async ({ principal, params, body, id: requestId, ip: remoteAddress }, reply) => reply.code(201)
    .send(await queueMessage(app, app.queue, params.session_id, { principal, body, requestId, remoteAddress })))

  app.delete('/sessions/:session_id/queue/:queued_message_id', {
    config: { access: ownWrites, errors: [SessionNotFound, QueuedNotFound] },
    schema: {
      operationId: 'deleteQueuedMessage',
      summary: 'Take back a message that waits',
      description: 'It is not sent any more. 404 when it has been.',
      tags,
      params: Type.Object({ ...SessionParams.properties, queued_message_id: Id }),
      response: { 204: { type: 'null', description: 'Taken back' } }
    }
  }, async ({ principal, params }, reply) => {
    const { session_id: sessionId, queued_message_id: id } = params
    await requireSession(app, principal, sessionId)
    if (!await deleteQueued(app.db, principal.workspace_id, sessionId, id)) throw QueuedNotFound()
    return reply.code(204).send(null)
  })
}

export default queue
