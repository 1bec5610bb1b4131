import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { InvalidCursor } from '../../schemas/errors.js'
import { ServiceParams } from '../../schemas/infrastructure/services.js'
import { ContainerTask, ContainerTaskPage, StopTask, TaskParams, TaskQuery, TaskStop } from '../../schemas/infrastructure/tasks.js'
import {
  actingFor, AmbiguousIdentifier, awsErrors, ServiceNotFound, TaskNotFound, TaskNotRunning, writeErrors
} from './lib/errors.js'
import { infrastructureFields } from './lib/field-words.js'
import { makePage } from './lib/list-inventory.js'
import { listTasks } from './lib/services/list-tasks.js'
import { stopTaskTool } from './lib/services/task-tools.js'
import { readTask, stopTask } from './lib/services/stop-task.js'
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

  app.get('/infrastructure/containers/services/:service/tasks/:task', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see one task of a container service, by its id.',
        gives: 'the task with status, health, revision, times, stop code, reason, and the exit code of each container.',
        keywords: 'one task instance replica state exit code stop reason ecs',
        fields: infrastructureFields
      },
      errors: [...awsErrors, ServiceNotFound, TaskNotFound, AmbiguousIdentifier]
    },
    schema: {
      operationId: 'getServiceTask',
      summary: 'Read a task of a container service',
      description: 'One task of an ECS service as it is now. ECS forgets a task about an hour after it has stopped.',
      tags: ['infrastructure'],
      params: TaskParams,
      response: { 200: ContainerTask }
    }
  }, async ({ principal, params }) =>
    readTask(app, await resolveService(app, principal, params.service), params.task))

  app.post('/infrastructure/containers/services/:service/tasks/:task/stop', {
    config: {
      tool: stopTaskTool,
      emptyBody: {},
      words: {
        foreign: false,
        use: 'Use this to end one task of a container service, such as one that hangs. The service starts another as long as it ' +
          'wants as many.',
        gives: 'the task as it is being stopped; list the tasks to see the one that replaces it.',
        keywords: 'stop kill end restart one task instance replica container hangs stuck',
        fields: infrastructureFields
      },
      errors: [...awsErrors, ...writeErrors, ServiceNotFound, TaskNotFound, TaskNotRunning, AmbiguousIdentifier]
    },
    schema: {
      operationId: 'stopTask',
      summary: 'Stop a task of a container service',
      description: 'Ends one task of an ECS service. The service starts another as long as it wants as many; to run fewer, scale it.',
      tags: ['infrastructure'],
      params: TaskParams,
      body: StopTask,
      response: { 200: TaskStop }
    }
  }, async ({ principal, params, body }) =>
    stopTask(actingFor(app, principal), await resolveService(app, principal, params.service), params.task, body))
}

export default tasks
