import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  ConfirmationPage,
  ConfirmationQuery,
  ConfirmRequest,
  ConfirmResult
} from '../../schemas/agent/confirmations.js'
import { InvalidCursor } from '../../schemas/errors.js'
import { decide } from './lib/decide.js'
import {
  ArgumentsInvalid,
  ConfirmationClosed,
  ConfirmationDecided,
  ConfirmationExpired,
  ConfirmationNotFound,
  StalePreview
} from './lib/errors.js'
import { pageOfConfirmations } from './lib/list-confirmations.js'

const errors = [ConfirmationNotFound, ConfirmationDecided, ConfirmationClosed, ConfirmationExpired, StalePreview,
  ArgumentsInvalid]

const confirm: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/confirm', {
    config: { access: { scope: 'approvals:write', role: 'member' }, errors },
    schema: {
      operationId: 'confirm',
      summary: 'Approve or reject what the assistant asks',
      description: 'Decides one confirmation. The same decision again is 200 with already_decided; the other is 409.',
      tags: ['agent'],
      body: ConfirmRequest,
      response: { 200: ConfirmResult }
    }
  }, async (request) => {
    const { woken, waited_ms: _, ...decided } = await decide(app, request.principal, request.body)
    request.run_id = decided.run_id
    if (woken) await app.engine.claim(request.principal.workspace_id, decided.run_id)
    return { ...decided, stream_url: `/api/v1/agent/sessions/${decided.session_id}/stream` }
  })

  app.get('/confirmations', {
    config: { errors: [InvalidCursor] },
    schema: {
      operationId: 'listConfirmations',
      summary: 'What waits for me',
      description: 'Confirmations of all my sessions, newest first; by default those that still wait.',
      tags: ['agent'],
      querystring: ConfirmationQuery,
      response: { 200: ConfirmationPage }
    }
  }, async (request) => pageOfConfirmations(app, request.principal, request.query))
}

export default confirm
