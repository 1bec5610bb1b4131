import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { PreferenceList, UpdatePreferences } from '../../schemas/agent/preferences.js'
import { AssistantToken } from '../../schemas/errors.js'
import { PreferenceInvalid, StalePreference } from './lib/errors.js'
import { showPreferences, updatePreferences } from './lib/sessions/update-preferences.js'
import { ownWrites } from './lib/access.js'

const memory: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/memory/preferences', {
    schema: {
      operationId: 'getPreferences',
      summary: 'What the assistant remembers of my preferences',
      description: 'Rules and style go to the model; default and forbid are enforced by code.',
      tags: ['agent'],
      response: { 200: PreferenceList }
    }
  }, async (request) => showPreferences(app, request.principal))

  app.post('/memory/preferences', {
    config: { access: ownWrites, assistant: true, errors: [PreferenceInvalid, StalePreference, AssistantToken] },
    schema: {
      operationId: 'updatePreferences',
      summary: 'Change my preferences',
      description: 'Merges by key: keys not named stay as they are. All or nothing. A token marked for an assistant ' +
        'only suggests: what it sets has no effect until a person sets it, and it replaces only suggestions.',
      tags: ['agent'],
      body: UpdatePreferences,
      response: { 200: PreferenceList }
    }
  }, async (request) => updatePreferences(app, request.principal, request.body))
}

export default memory
