import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  ConnectModel, ModelByEnvironment, ModelConnection, ModelTest, modelTestErrors
} from '../../schemas/account/model-connection.js'
import { ModelPriceUnknown } from '../../schemas/model-budget.js'
import {
  forgetConnection, readDescription, requireConnectable, showConnection, storeConnection, testModel
} from './lib/settings/model-connection.js'

const tags = ['account']
const writes = { scope: 'account:write', role: 'admin' } as const

/** The model that answers in the workspace, and how another is connected. */
const model: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/workspace/model', {
    config: { access: { scope: 'account:read', role: 'viewer', on: 'anywhere' } },
    schema: {
      operationId: 'getModelConnection',
      summary: 'What answers in the chat',
      description: 'The model that is asked in this workspace, and by what it is connected. To admins also what was ' +
        'stored here; a key is never shown.',
      tags,
      response: { 200: ModelConnection }
    }
  }, ({ principal }) => showConnection(app, principal))

  app.put('/workspace/model', {
    config: { access: writes, ungated: false, errors: [ModelByEnvironment, ModelPriceUnknown, ...modelTestErrors] },
    schema: {
      operationId: 'connectModel',
      summary: 'Connect a model',
      description: 'For admins. Asks the model one short question, at its price, and stores how it is asked, ' +
        'encrypted, when it has answered. Every instance asks it from then on, without a restart. Where environment ' +
        'variables connect a model, they win, and this is refused.',
      tags,
      body: ConnectModel,
      response: { 200: ModelConnection }
    }
  }, async ({ principal, body }) => {
    requireConnectable(app)
    const parts = readDescription(app, principal, body)
    await testModel(app, principal, parts)
    await storeConnection(app, principal, parts)
    return showConnection(app, principal)
  })

  app.delete('/workspace/model', {
    config: { access: writes, ungated: false },
    schema: {
      operationId: 'disconnectModel',
      summary: 'Disconnect the model of the workspace',
      description: 'For admins. Its key is forgotten. What answers is then what the environment connects, or nothing.',
      tags,
      response: { 200: ModelConnection }
    }
  }, async ({ principal }) => {
    await forgetConnection(app, principal)
    return showConnection(app, principal)
  })

  app.post('/workspace/model/test', {
    config: {
      access: writes,
      ungated: 'asks one question of a model and keeps nothing; connecting it is judged',
      errors: [ModelPriceUnknown, ...modelTestErrors]
    },
    schema: {
      operationId: 'testModelConnection',
      summary: 'Test a model before it is connected',
      description: 'For admins: asks the model that is described one short question, at its price. Nothing is stored, ' +
        'but what the call cost.',
      tags,
      body: ConnectModel,
      response: { 200: ModelTest }
    }
  }, ({ principal, body }) => testModel(app, principal, readDescription(app, principal, body)))
}

export default model
