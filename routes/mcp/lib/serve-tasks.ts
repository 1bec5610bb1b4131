import type { Server, ServerContext, StandardSchemaV1 } from '@modelcontextprotocol/server'
import type { FastifyInstance } from 'fastify'
import type { Static, TObject } from '@sinclair/typebox'
import { compileJson } from '../../../lib/openapi/json-schemas.js'
import type { Principal } from '../../../lib/security/principal.js'
import { fieldsOf } from '../../../schemas/unknown.js'
import type { Sdk } from './sdk.js'
import { cancelTask, getTask, TaskParams, updateTask } from './tasks.js'

/** @returns a TypeBox schema in the form in which the protocol's SDK takes schemas (https://standardschema.dev) */
const standardSchema = <T extends TObject>(schema: T): StandardSchemaV1<Static<T>, Static<T>> => {
  const fits = compileJson(schema)
  return {
    '~standard': {
      version: 1,
      vendor: 'steward',
      // What fits has the schema's type.
      validate: (value) => fits(value) ? { value: value as Static<T> } : { issues: issuesOf(fits.errors) }
    }
  }
}

const issuesOf = (errors: ReturnType<typeof compileJson>['errors']) =>
  (errors ?? []).map(({ instancePath, message = 'is not valid' }) => ({ message: `${instancePath} ${message}`.trim() }))

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
