import type { Server, ServerContext } from '@modelcontextprotocol/server'
import type { FastifyInstance } from 'fastify'
import type { Principal } from '../../../lib/security/principal.js'
import { fieldsOf } from '../../../schemas/unknown.js'
import type { Sdk } from './sdk.js'
import { standardSchema } from './standard-schema.js'
import { cancelTask, getTask, TaskParams, updateTask } from './tasks.js'

type Deps = Pick<FastifyInstance, 'tools' | 'config' | 'workspaces'>

/** The Tasks extension of the protocol (SEP-2663): what waits for a person is a task. */
export const tasksExtension = 'io.modelcontextprotocol/tasks'

/** @returns what the client of this very request says that it can do; nothing before 2026-07-28 */
const capabilitiesOf = ({ mcpReq: { envelope } }: ServerContext) =>
  fieldsOf(fieldsOf(envelope)['io.modelcontextprotocol/clientCapabilities'])

export const takesTasks = (context: ServerContext): boolean =>
  fieldsOf(capabilitiesOf(context).extensions)[tasksExtension] !== undefined

/** Whether the client can show its person a page. */
const showsPages = (context: ServerContext): boolean =>
  fieldsOf(capabilitiesOf(context).elicitation).url !== undefined

export const serveTasks = (sdk: Sdk, server: Server, deps: Deps, principal: Principal): void => {
  const params = standardSchema(TaskParams)
  const requireTasks = (context: ServerContext): void => {
    if (takesTasks(context)) return
    throw new sdk.MissingRequiredClientCapabilityError({
      requiredCapabilities: { extensions: { [tasksExtension]: {} } }
    })
  }
  const unknown = () => new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, 'There is no such task')
  server.setRequestHandler('tasks/get', { params }, async ({ taskId }, context) => {
    requireTasks(context)
    const task = await getTask(deps, principal, taskId, showsPages(context))
    if (!task) throw unknown()
    return task
  })
  for (const [method, act] of [['tasks/update', updateTask], ['tasks/cancel', cancelTask]] as const) {
    server.setRequestHandler(method, { params }, async ({ taskId }, context) => {
      requireTasks(context)
      if (!await act(deps, principal, taskId)) throw unknown()
      return {}
    })
  }
}
