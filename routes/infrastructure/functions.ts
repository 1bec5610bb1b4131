import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { keyOfAccount } from '../../lib/aws/accounts.js'
import { checkImage } from '../../lib/aws/images.js'
import { InvalidCursor, PayloadTooLarge } from '../../schemas/errors.js'
import { InventoryQuery } from '../../schemas/infrastructure/services.js'
import {
  DeployFunction, FunctionAliasMove, FunctionAliasParams, FunctionDeployment, FunctionPage, FunctionParams, FunctionQuery,
  InvokeFunction, InvokeResult, MoveFunctionAlias, ServerlessFunction
} from '../../schemas/infrastructure/functions.js'
import { deployFunction } from './lib/functions/deploy-function.js'
import {
  AliasDivided, AliasNotFound, AmbiguousIdentifier, awsErrors, CloudAccountNotFound, FunctionChanged,
  FunctionNotDeployable, FunctionNotFound,
  FunctionUpdateInProgress, ImageNotFound, InvocationLimited, InvocationUnknown, QualifierInName, writeErrors,
  actingFor
} from './lib/errors.js'
import { moveAlias } from './lib/functions/move-alias.js'
import { deployFunctionTool, invokeTool, moveFunctionAliasTool } from './lib/functions/function-tools.js'
import { InvocationSlots, invokeFunction } from './lib/functions/invoke-function.js'
import { listFunctions, makePage } from './lib/list-inventory.js'
import { readFunction, resolveFunction } from './lib/functions/resolve-function.js'
import { infrastructureFields } from './lib/field-words.js'

const naming = [FunctionNotFound, AmbiguousIdentifier, QualifierInName]

/** In bytes: AWS accepts a payload of 6 MB; the rest is room for the other fields. */
const bodyLimit = 6_400_000

const functions: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/infrastructure/serverless/functions', {
    config: {
      tool: 'read',
      words: {
        core: true,
        foreign: false,
        use: 'Use this to find the Lambda functions, of all cloud accounts and regions or of one.',
        gives: 'the functions with id, runtime, memory and state, and which accounts did not answer.',
        keywords: 'lambda lambdas serverless functions faas',
        fields: infrastructureFields
      },
      errors: [...awsErrors, InvalidCursor, CloudAccountNotFound]
    },
    schema: {
      operationId: 'listFunctions',
      summary: 'List serverless functions',
      description: 'The Lambda functions of all cloud accounts and regions, or of one. `partial` says that some ' +
        'account or region did not answer. May be up to 60 seconds old.',
      tags: ['infrastructure'],
      querystring: InventoryQuery,
      response: { 200: FunctionPage }
    }
  }, async ({ principal, query }, reply) => {
    const listed = await listFunctions(app, principal, query)
    const page = makePage(app, principal, 'functions', query, listed)
    reply.header('cache-control', 'private').header('age', listed.age)
    return page
  })

  app.get('/infrastructure/serverless/functions/:name', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see how one Lambda function is set up and whether it is ready.',
        gives: 'runtime, memory, timeout, image, state, and the names (never the values) of its environment ' +
          'variables.',
        keywords: 'lambda serverless function configuration settings memory runtime timeout environment ' +
          'variables',
        fields: infrastructureFields,
        leaveOut: ['image']
      },
      errors: [...awsErrors, ...naming]
    },
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
  }, async ({ principal, params, query: { qualifier, image } }) => {
    const ref = await resolveFunction(app, principal, params.name)
    const found = await readFunction(app, ref, qualifier)
    return image === undefined ? found : { ...found, registry: await checkImage(app.aws, ref.account, image) }
  })

  const slots = new InvocationSlots(app.config.limits.invocations_per_account)
  app.post('/infrastructure/serverless/functions/:name/invoke', {
    bodyLimit,
    config: {
      // A bare POST invokes with no payload.
      emptyBody: {},
      tool: invokeTool,
      words: {
        foreign: true,
        use: 'Use this to run a Lambda function once with a payload. It is never repeated.',
        gives: 'its answer, or the error that the function itself raised, and the end of its log if you ask for ' +
          'it.',
        keywords: 'run execute call trigger lambda serverless function once payload test',
        fields: infrastructureFields
      },
      errors: [...awsErrors, ...writeErrors, ...naming, InvocationUnknown, InvocationLimited, PayloadTooLarge]
    },
    schema: {
      operationId: 'invokeFunction',
      summary: 'Invoke a serverless function',
      description: 'Runs a Lambda function once and returns its answer; it is never repeated. A function that ' +
        'fails is `function_error` with its message, not an error of this operation.',
      tags: ['infrastructure'],
      params: FunctionParams,
      body: InvokeFunction,
      response: { 200: InvokeResult }
    }
  }, async ({ principal, params, body }) => {
    const ref = await resolveFunction(app, principal, params.name)
    return slots.with(keyOfAccount(ref.account), () => invokeFunction(actingFor(app, principal), ref, body))
  })

  app.post('/infrastructure/serverless/functions/:name/deploy', {
    config: {
      tool: deployFunctionTool,
      words: {
        foreign: false,
        use: 'Use this to give a Lambda function that is made of a container image another image.',
        gives: 'the function; its last update says when Lambda has taken the image over.',
        keywords: 'deploy ship new image version lambda serverless function container image update',
        fields: infrastructureFields,
        leaveOut: ['alias_revision']
      },
      errors: [...awsErrors, ...writeErrors, ...naming, FunctionNotDeployable, FunctionUpdateInProgress,
        FunctionChanged, ImageNotFound]
    },
    schema: {
      operationId: 'deployFunction',
      summary: 'Deploy an image to a serverless function',
      description: 'Gives a Lambda function that is made of a container image another one. The answer comes at once; ' +
        '`last_update` of the function says when Lambda has taken the image over, or why it could not.',
      tags: ['infrastructure'],
      params: FunctionParams,
      body: DeployFunction,
      response: { 202: FunctionDeployment }
    }
  }, async ({ principal, params, body }, reply) => {
    reply.code(202)
    const ref = await resolveFunction(app, principal, params.name)
    return deployFunction(actingFor(app, principal), ref, body)
  })

  app.post('/infrastructure/serverless/functions/:name/aliases/:alias/move', {
    config: {
      // A bare POST publishes $LATEST.
      emptyBody: {},
      tool: moveFunctionAliasTool,
      words: {
        foreign: false,
        use: 'Use this to let all calls of an alias of a Lambda function go to another version: to go back to the one ' +
          'before, to end a division of calls, or to publish what $LATEST is.',
        gives: 'the version to which the alias leads now, and those to which it led.',
        keywords: 'lambda alias version publish rollback roll back move point shift traffic weights canary live',
        fields: infrastructureFields
      },
      errors: [...awsErrors, ...writeErrors, ...naming, AliasNotFound, AliasDivided, FunctionUpdateInProgress, FunctionChanged]
    },
    schema: {
      operationId: 'moveFunctionAlias',
      summary: 'Move an alias of a serverless function',
      description: 'Lets all calls of an alias of a Lambda function go to one version. Without a version, $LATEST is ' +
        'published as one first, unless the alias divides its calls. The versions before stay, and are the way back.',
      tags: ['infrastructure'],
      params: FunctionAliasParams,
      body: MoveFunctionAlias,
      response: { 200: FunctionAliasMove }
    }
  }, async ({ principal, params, body }) => {
    const ref = await resolveFunction(app, principal, params.name)
    return moveAlias(actingFor(app, principal), ref, params.alias, body)
  })
}

export default functions
