import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readKey } from '../../lib/http/requests.js'
import { IdempotencyMismatch, Overloaded } from '../../schemas/errors.js'
import { ChatHeaders, ChatRequest, ResumeHeaders, RunAccepted } from '../../schemas/agent/chat.js'
import { ModelNotListed, ModelPriceUnknown } from '../../schemas/model-budget.js'
import { ChatEvent, eventStream } from '../../schemas/agent/events.js'
import { SessionParams } from '../../schemas/agent/sessions.js'
import {
  ApprovalsPending, AttachmentNotFound, MessageTooLarge, ProjectNotFound, SessionBusy, SessionNotFound, TooManyRuns,
  TooManyWaiting
} from './lib/errors.js'
import { findStream, followRun, positionInRun } from './lib/loop/follow-run.js'
import { startChat } from './lib/sessions/start-chat.js'
import { ownWrites } from './lib/access.js'

const errors = [SessionNotFound, SessionBusy, ApprovalsPending, ProjectNotFound, AttachmentNotFound, MessageTooLarge,
  ModelPriceUnknown, ModelNotListed, TooManyRuns, TooManyWaiting, IdempotencyMismatch, Overloaded]

/** Answers with the run's stream, after a position. */
const sendRun = (app: FastifyInstance, request: FastifyRequest, reply: FastifyReply,
  run: { session_id: string, run_id: string }, options: { after: number, waitS?: number }): Promise<void> => {
  reply.headers({ 'steward-session-id': run.session_id, 'steward-run-id': run.run_id })
  return app.stream(request, reply, (sink) => followRun(app, request.principal, run, options, sink))
}

const chat: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/chat', {
    sse: 'manual',
    // The run keeps its key, and its row is the audit.
    config: { access: ownWrites, errors, idempotency: false, audit: false, assistant: true, needsRoom: true },
    schema: {
      operationId: 'chat',
      summary: 'Say something to the assistant',
      description: 'Starts a run and streams it. The run goes on when the connection ends; come back with ' +
        'GET …/stream and Last-Event-ID, or repeat the request with its Idempotency-Key and Last-Event-ID. With ' +
        '`Prefer: respond-async` it answers 202 and the stream\'s URL instead.',
      tags: ['agent'],
      headers: ChatHeaders,
      body: ChatRequest,
      response: { 200: { ...eventStream, content: { 'text/event-stream': { schema: ChatEvent } } }, 202: RunAccepted }
    }
  }, async (request, reply) => {
    const { principal, body } = request
    const call = { principal, body, idempotencyKey: readKey(request), requestId: request.id, remoteAddress: request.ip }
    const streams = !/\brespond-async\b/.test(request.headers.prefer ?? '')
    if (streams) app.requireStream(principal)
    const { session_id, run_id, status } = await startChat(app, app.engine, call)
    request.run_id = run_id
    if (streams) {
      const after = positionInRun(run_id, request.headers['last-event-id'])
      return sendRun(app, request, reply, { session_id, run_id }, { after, waitS: body.wait_s })
    }
    const run_url = `/api/v1/agent/runs/${run_id}`
    const stream_url = `/api/v1/agent/sessions/${session_id}/stream`
    return reply.code(202).headers({ location: run_url, 'preference-applied': 'respond-async' })
      .send({ session_id, run_id, status, run_url, stream_url })
  })

  app.get('/sessions/:session_id/stream', {
    sse: 'manual',
    config: { errors: [SessionNotFound] },
    schema: {
      operationId: 'followSession',
      summary: 'Join the live run of a session',
      description: 'Streams the session\'s live run from its beginning, or after Last-Event-ID, from any instance. ' +
        '204 when no run is live and no event is left to send.',
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
    const { run_id, after } = run
    return sendRun(app, request, reply, { session_id, run_id }, { after })
  })
}

export default chat
