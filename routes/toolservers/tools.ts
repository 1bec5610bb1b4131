import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  ServerParams, ServerTool, ServerToolParams, ServerTools, UpdateServerTool
} from '../../schemas/toolservers/servers.js'
import { changeTool, ServerToolNotFound, StaleDefinition, ToolServerNotFound } from './lib/change-tool.js'
import { requireServer, showTool, showTools } from './lib/add-server.js'

const tags = ['agent']

const tools: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/tool-servers/:server_id/tools', {
    config: { errors: [ToolServerNotFound] },
    schema: {
      operationId: 'listServerTools',
      summary: 'The tools of a tool server',
      description: 'Each with the definition that was accepted and the one that the server offers now.',
      tags,
      params: ServerParams,
      response: { 200: ServerTools }
    }
  }, ({ principal, params }) => showTools(app.db, principal.workspace_id, params.server_id))

  app.patch('/tool-servers/:server_id/tools/:tool', {
    config: {
      access: { scope: 'agent:write', role: 'admin' },
      errors: [ToolServerNotFound, ServerToolNotFound, StaleDefinition]
    },
    schema: {
      operationId: 'updateServerTool',
      summary: 'Set a tool of a server, or accept its definition',
      description: 'A definition is accepted by its hash, so that what was seen is what is accepted. A tool that ran ' +
        'at once asks again after that, unless the same request sets it to read.',
      tags,
      params: ServerToolParams,
      body: UpdateServerTool,
      response: { 200: ServerTool }
    }
  }, async ({ principal, params, body }) => {
    const server = await requireServer(app.db, principal.workspace_id, params.server_id)
    const tool = await changeTool(app.db, principal, params, body)
    app.tools.own.forget(principal.workspace_id)
    return showTool(server, tool)
  })
}

export default tools
