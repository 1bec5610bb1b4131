import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { deleteFeedback, isAnswerTo, listFeedback, saveFeedback } from '../../db/agent/feedback.js'
import { paginateById } from '../../lib/http/paginate.js'
import type { Principal } from '../../lib/security/principal.js'
import { Feedback, FeedbackPage, FeedbackParams, GivenFeedback, ListFeedback } from '../../schemas/agent/sessions.js'
import { InvalidCursor } from '../../schemas/errors.js'
import { AnswerNotFound } from './lib/errors.js'
import { ownWrites } from './lib/access.js'

const tags = ['agent']

interface Answer { session_id: string, message_id: string }

const feedback: FastifyPluginAsyncTypebox = async (app) => {
  const requireAnswer = async ({ workspace_id, user_id }: Principal, { session_id, message_id }: Answer) => {
    if (!await isAnswerTo(app.db, workspace_id, user_id, session_id, message_id)) throw AnswerNotFound()
  }

  app.put('/sessions/:session_id/messages/:message_id/feedback', {
    config: { access: ownWrites, errors: [AnswerNotFound] },
    schema: {
      operationId: 'giveFeedback',
      summary: 'Rate an answer',
      description: 'Of one message of the assistant, in a session of mine; again replaces it. Admins see it.',
      tags,
      params: FeedbackParams,
      body: Feedback,
      response: { 200: GivenFeedback }
    }
  }, async ({ principal, params, body }) => {
    await requireAnswer(principal, params)
    await saveFeedback(app.db, principal.workspace_id, params.session_id, params.message_id, body)
    return { rating: body.rating, comment: body.comment ?? null }
  })

  app.delete('/sessions/:session_id/messages/:message_id/feedback', {
    config: { access: ownWrites, errors: [AnswerNotFound] },
    schema: {
      operationId: 'withdrawFeedback',
      summary: 'Take back the rating of an answer',
      description: 'Again = the same answer.',
      tags,
      params: FeedbackParams,
      response: { 204: { type: 'null', description: 'There is none' } }
    }
  }, async ({ principal, params }, reply) => {
    await requireAnswer(principal, params)
    await deleteFeedback(app.db, principal.workspace_id, params.session_id, params.message_id)
    return reply.code(204).send(null)
  })

  app.get('/feedback', {
    config: { access: { scope: 'agent:read', role: 'admin', on: 'workspace' }, errors: [InvalidCursor] },
    schema: {
      operationId: 'listFeedback',
      summary: 'What people think of the assistant\'s answers',
      description: 'Of everyone in the workspace, newest first. The messages themselves are their owners\'.',
      tags,
      querystring: ListFeedback,
      response: { 200: FeedbackPage }
    }
  }, ({ principal, query }) => paginateById(app, { principal, list: 'feedback', query },
    (slice) => listFeedback(app.db, principal.workspace_id, slice)))
}

export default feedback
