import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { InvalidCursor } from '../../schemas/errors.js'
import { ServiceParams } from '../../schemas/infrastructure/services.js'
import { ContainerTaskPage, TaskQuery } from '../../schemas/infrastructure/tasks.js'
import { AmbiguousIdentifier, awsErrors, ServiceNotFound } from './lib/errors.js'
import { infrastructureFields } from './lib/field-words.js'
import { makePage } from './lib/list-inventory.js'
import { listTasks } from './lib/services/list-tasks.js'
import { resolveService } from './lib/services/resolve.js'

const tasks: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/infrastructure/containers/services/:service/tasks', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see each task of a container service: those that run, and those that stopped within the last hour.',
        gives: 'the tasks with status, health, revision, times, stop code, reason, and the exit code of each container.',
        keywords: 'tasks instances replicas running stopped exit code stop reason killed container each ecs',
        fields: infrastructureFields
      },
      errors: [...awsErrors, InvalidCursor, ServiceNotFound, AmbiguousIdentifier]
    },
    schema: {
      operationId: 'listServiceTasks',
      summary: 'List the tasks of a container service',
      description: 'The tasks of an ECS service as they are now: those that run or are to run, and those that stopped, which ECS ' +
        'lists for about an hour, with stop code, reason and the exit codes of their containers.',
      tags: ['infrastructure'],
      params: ServiceParams,
      querystring: TaskQuery,
      response: { 200: ContainerTaskPage }
    }
  }, async ({ principal, params, query }, reply) => {
    const ref = await resolveService(app, principal, params.service)
    reply.header('cache-control', 'private')
    return makePage(app, principal, `tasks of ${params.service}`, query, await listTasks(app, ref, query))
  })
}

export default tasks
