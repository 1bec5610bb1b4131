import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChatModels } from '../../schemas/agent/models.js'
import { listModels } from './lib/sessions/list-models.js'

const models: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/models', {
    schema: {
      operationId: 'listChatModels',
      summary: 'Models that a chat may ask',
      description: 'Those that the provider lists, and those that are configured. The list is read after the start, ' +
        'and again when it is asked for and older than a day.',
      tags: ['agent'],
      response: { 200: ChatModels }
    }
  }, ({ principal }) => listModels(app, principal.workspace_id))
}

export default models
