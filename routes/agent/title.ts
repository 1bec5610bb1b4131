import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { GenerateTitle, SessionTitle } from '../../schemas/agent/sessions.js'
import { SessionNotFound } from './lib/errors.js'
import { generateTitle } from './lib/sessions/generate-title.js'
import { ownWrites } from './lib/access.js'

const title: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/generate-title', {
    config: { access: ownWrites, errors: [SessionNotFound] },
    schema: {
      operationId: 'generateTitle',
      summary: 'Title a conversation',
      description: 'Of a session, which takes it over unless its owner renamed it, or of messages given here.',
      tags: ['agent'],
      body: GenerateTitle,
      response: { 200: SessionTitle }
    }
  }, async (request) => generateTitle(app, request.principal, request.body))
}

export default title
