import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { deleteSession } from '../../db/agent/sessions.js'
import { listParked } from '../../db/agent/parked.js'
import { findLiveRun } from '../../db/agent/runs.js'
import { ModelNotListed, ModelPriceUnknown } from '../../schemas/model-budget.js'
import { PageQuery } from '../../schemas/common.js'
import { InvalidCursor } from '../../schemas/errors.js'
import {
  ChatMessagePage,
  ChatSessionDetail,
  ChatSessionPage,
  ForkChatSession,
  SessionParams,
  SessionQuery,
  UpdateChatSession
} from '../../schemas/agent/sessions.js'
import { sendJson } from '../../lib/http/paginate.js'
import { MessageNotFound, SessionBusy, SessionNotFound } from './lib/errors.js'
import { forkChat, updateSession } from './lib/sessions/change-session.js'
import { pageOfMessages, pageOfSessions, showSession } from './lib/sessions/show-sessions.js'
import { ownWrites } from './lib/access.js'

const tags = ['agent']

const sessions: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/sessions', {
    config: { errors: [InvalidCursor] },
    schema: {
      operationId: 'listChatSessions',
      summary: 'My chat sessions',
      description: 'Most recently active first; `q` looks into titles and messages.',
      tags,
      querystring: SessionQuery,
      response: { 200: ChatSessionPage }
    }
  }, async ({ principal, query }, reply) => sendJson(reply, await pageOfSessions(app, principal, query)))

  app.get('/sessions/:session_id', {
    config: { errors: [SessionNotFound] },
    schema: {
      operationId: 'getChatSession',
      summary: 'One chat session',
      description: 'With its live run, what waits for approval and what it has cost.',
      tags,
      params: SessionParams,
      response: { 200: ChatSessionDetail }
    }
  }, async (request) => showSession(app, request.principal, request.params.session_id))

  app.get('/sessions/:session_id/messages', {
    config: { errors: [SessionNotFound, InvalidCursor] },
    schema: {
      operationId: 'listChatMessages',
      summary: 'Messages of a chat session',
      description: 'Newest first; an assistant message carries the calls it made and how they ended.',
      tags,
      params: SessionParams,
      querystring: Type.Object(PageQuery),
      response: { 200: ChatMessagePage }
    }
  }, async (request) => pageOfMessages(app, request.principal, request.params.session_id, request.query))

  app.patch('/sessions/:session_id', {
    config: { access: ownWrites, errors: [SessionNotFound, ModelPriceUnknown, ModelNotListed] },
    schema: {
      operationId: 'updateChatSession',
      summary: 'Rename, pin or share a chat session, or choose its model',
      description: 'A title given here is never replaced by a generated one. Model, effort and thinking ' +
        'hold from the next message on.',
      tags,
      params: SessionParams,
      body: UpdateChatSession,
      response: { 200: ChatSessionDetail }
    }
  }, async ({ principal, params, body }) => {
    await updateSession(app, principal, params.session_id, body)
    return showSession(app, principal, params.session_id)
  })

  app.post('/sessions/:session_id/fork', {
    config: { access: ownWrites, errors: [SessionNotFound, MessageNotFound, SessionBusy] },
    schema: {
      operationId: 'forkChatSession',
      summary: 'Go on from an earlier point of a chat session',
      description: 'Copies the conversation, up to a message of mine or with the answer to one, into a new session, ' +
        'with a budget of its own. To edit or repeat a message, fork before it and send it there. Writes that were ' +
        'done stay done.',
      tags,
      params: SessionParams,
      body: ForkChatSession,
      response: { 201: ChatSessionDetail }
    }
  }, async ({ principal, params, body }, reply) => {
    const id = await forkChat(app, principal, params.session_id, body)
    reply.code(201).header('location', `/api/v1/agent/sessions/${id}`)
    return showSession(app, principal, id)
  })

  app.delete('/sessions/:session_id', {
    config: { access: ownWrites, errors: [SessionNotFound] },
    schema: {
      operationId: 'deleteChatSession',
      summary: 'Delete a chat session',
      description: 'A live run of it is stopped; what waits for approval is closed and not executed.',
      tags,
      params: SessionParams,
      response: { 204: { type: 'null', description: 'Deleted' } }
    }
  }, async ({ principal, params }, reply) => {
    const { workspace_id, user_id } = principal
    if (!await deleteSession(app.db, workspace_id, user_id, params.session_id)) throw SessionNotFound()
    const live = await findLiveRun(app.db, workspace_id, params.session_id)
    const parked = await listParked(app.db, workspace_id, user_id, params.session_id)
    for (const { id } of [...live ? [live] : [], ...parked]) {
      await app.engine.requestCancel(workspace_id, user_id, id, 'session_deleted')
    }
    return reply.code(204).send(null)
  })
}

export default sessions
