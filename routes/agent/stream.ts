import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ResumeHeaders } from '../../schemas/agent/chat.js'
import { ChatEvent, eventStream } from '../../schemas/agent/events.js'
import { SessionParams } from '../../schemas/agent/sessions.js'
import { SessionNotFound } from './lib/errors.js'
import { findStream, positionInRun } from './lib/follow-run.js'
import { sendRun } from './send-run.js'

const stream: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/sessions/:session_id/stream', {
    sse: 'manual',
    config: { errors: [SessionNotFound] },
    schema: {
      operationId: 'followSession',
      summary: 'Join the live run of a session',
      description: 'Streams the session\'s live run from its beginning, or after Last-Event-ID, from any instance. ' +
        '204 when nothing is live and nothing is left to be told.',
      tags: ['agent'],
      params: SessionParams,
      headers: ResumeHeaders,
      response: {
        200: { ...eventStream, content: { 'text/event-stream': { schema: ChatEvent } } },
        204: { type: 'null', description: 'Nothing is live' }
      }
    }
  }, async (request, reply) => {
    const { session_id } = request.params
    const lastId = request.headers['last-event-id']
    const run = await findStream(app.db, request.principal, session_id, lastId)
    if (!run) return reply.code(204).send(null)
    const after = positionInRun(run.run_id, lastId)
    return sendRun(app, request, reply, { session_id, run_id: run.run_id }, { after })
  })
}

export default stream
