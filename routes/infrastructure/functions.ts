import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { InvalidCursor, PayloadTooLarge } from '../../schemas/errors.js'
import { InventoryQuery } from '../../schemas/infrastructure/clusters.js'
import {
  FunctionPage, FunctionParams, FunctionQuery, InvokeFunction, InvokeResult, ServerlessFunction
} from '../../schemas/infrastructure/functions.js'
import {
  AmbiguousIdentifier, awsErrors, CloudAccountNotFound, FunctionNotFound, InvocationLimited, InvocationUnknown,
  QualifierInName
} from './lib/errors.js'
import { InvocationSlots } from './lib/invocation-slots.js'
import { invokeFunction } from './lib/invoke-function.js'
import { invokeTool } from './lib/invoke-tool.js'
import { listFunctions } from './lib/list-functions.js'
import { readFunction, resolveFunction } from './lib/resolve-function.js'
import { actingFor } from './lib/sources.js'
import { sendList } from './send-list.js'

const naming = [FunctionNotFound, AmbiguousIdentifier, QualifierInName]

const reads: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/infrastructure/serverless/functions', {
    config: { tool: 'read', errors: [...awsErrors, InvalidCursor, CloudAccountNotFound] },
    schema: {
      operationId: 'listFunctions',
      summary: 'List serverless functions',
      description: 'The Lambda functions of all cloud accounts and regions, or of one. `partial` says that some ' +
        'account or region did not answer. May be up to 60 seconds old.',
      tags: ['infrastructure'],
      querystring: InventoryQuery,
      response: { 200: FunctionPage }
    }
  }, async (request, reply) => {
    const listed = await listFunctions(app, request.principal.workspace_id, request.query)
    return sendList(app, request, reply, 'functions', listed)
  })

  app.get('/infrastructure/serverless/functions/:name', {
    config: { tool: 'read', errors: [...awsErrors, ...naming] },
    schema: {
      operationId: 'getFunction',
      summary: 'Read a serverless function',
      description: 'One Lambda function as it is now, with its state; the names of its environment variables, never ' +
        'their values. Takes the id of a list, the ARN, or the name.',
      tags: ['infrastructure'],
      params: FunctionParams,
      querystring: FunctionQuery,
      response: { 200: ServerlessFunction }
    }
  }, async ({ principal, params, query }) =>
    readFunction(app, await resolveFunction(app, principal.workspace_id, params.name), query.qualifier))
}

/** AWS takes 6 MB, and the rest of the body a little. */
const bodyLimit = 6_400_000

const invocation: FastifyPluginAsyncTypebox = async (app) => {
  const slots = new InvocationSlots(app.config.limits.invocations_per_account)
  app.post('/infrastructure/serverless/functions/:name/invoke', {
    bodyLimit,
    config: {
      tool: invokeTool,
      errors: [...awsErrors, ...naming, InvocationUnknown, InvocationLimited, PayloadTooLarge]
    },
    // A bare POST invokes with no payload.
    preValidation: async (request) => { request.body ??= {} as typeof request.body },
    schema: {
      operationId: 'invokeFunction',
      summary: 'Invoke a serverless function',
      description: 'Runs a Lambda function once and tells what it answered; it is never repeated. A function that ' +
        'fails is `function_error` with its message, not an error of this operation.',
      tags: ['infrastructure'],
      params: FunctionParams,
      body: InvokeFunction,
      response: { 200: InvokeResult }
    }
  }, async ({ principal, params, body }) => {
    const place = await resolveFunction(app, principal.workspace_id, params.name)
    return slots.with(place.account.id, () => invokeFunction(actingFor(app, principal), place, body))
  })
}

const functions: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(reads)
  await app.register(invocation)
}

export default functions
