import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { DeployFunction, FunctionDeployment, FunctionParams } from '../../schemas/infrastructure/functions.js'
import { deployFunction } from './lib/deploy-function.js'
import { deployFunctionTool } from './lib/deploy-function-tool.js'
import {
  AmbiguousIdentifier, awsErrors, FunctionChanged, FunctionNotDeployable, FunctionNotFound, FunctionUpdateInProgress,
  QualifierInName
} from './lib/errors.js'
import { resolveFunction } from './lib/resolve-function.js'
import { actingFor } from './lib/sources.js'

const naming = [FunctionNotFound, AmbiguousIdentifier, QualifierInName]
const refusals = [FunctionNotDeployable, FunctionUpdateInProgress, FunctionChanged]

const functionDeploys: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/infrastructure/serverless/functions/:name/deploy', {
    config: {
      tool: deployFunctionTool,
      errors: [...awsErrors, ...naming, ...refusals]
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
    const place = await resolveFunction(app, principal.workspace_id, params.name)
    return deployFunction(actingFor(app, principal), place, body)
  })
}

export default functionDeploys
