import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { deleteServer, updateServer } from '../../db/toolservers/servers.js'
import {
  AddToolServer, ServerParams, ToolServer, ToolServers, UpdateToolServer
} from '../../schemas/toolservers/servers.js'
import { etag } from '../../schemas/revisions.js'
import { addServer, encryptHeaders, requireHeaders, requireServer, showServer, showServers } from './lib/add-server.js'
import {
  NotAToolServer, ToolServerNameTaken, ToolServerNotFound, ToolServerRefused, ToolServerUnreachable,
  TooManyToolServers
} from './lib/change-tool.js'
import { refresh } from './lib/look.js'

const tags = ['agent']
const access = { scope: 'agent:write', role: 'admin' } as const
const lookErrors = [NotAToolServer, ToolServerRefused, ToolServerUnreachable]

const servers: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/tool-servers', {
    schema: {
      operationId: 'listToolServers',
      summary: 'Other people\'s tool servers',
      description: 'The MCP servers whose tools the assistant has in this workspace, by name.',
      tags,
      response: { 200: ToolServers }
    }
  }, ({ principal }) => showServers(app.db, principal.workspace_id))

  app.post('/tool-servers', {
    config: { access, errors: [ToolServerNameTaken, TooManyToolServers, ...lookErrors] },
    schema: {
      operationId: 'addToolServer',
      summary: 'Add a tool server',
      description: 'Looks at an MCP server over streamable HTTP, and adds it with its tools as they are at that ' +
        'moment. Each of their calls asks a person first, unless a tool is set otherwise.',
      tags,
      body: AddToolServer,
      response: { 201: ToolServer }
    }
  }, async ({ principal, body }, reply) => {
    const id = await addServer(app, principal, body)
    return reply.code(201).send(await showServer(app.db, principal.workspace_id, id))
  })

  app.get('/tool-servers/:server_id', {
    config: { errors: [ToolServerNotFound] },
    schema: {
      operationId: 'getToolServer',
      summary: 'One tool server',
      description: 'With what the last look at it came to. The values of its headers are never shown.',
      tags,
      params: ServerParams,
      response: { 200: ToolServer }
    }
  }, async ({ principal, params }, reply) => {
    const server = await showServer(app.db, principal.workspace_id, params.server_id)
    reply.header('etag', etag(server.revision))
    return server
  })

  app.patch('/tool-servers/:server_id', {
    config: { access, errors: [ToolServerNotFound] },
    schema: {
      operationId: 'updateToolServer',
      summary: 'Switch a tool server, or replace its headers',
      description: 'What is not named stays. Headers are replaced together.',
      tags,
      params: ServerParams,
      body: UpdateToolServer,
      response: { 200: ToolServer }
    }
  }, async ({ principal: { workspace_id: workspaceId }, params: { server_id: id }, body: { enabled, headers } }) => {
    if (headers) requireHeaders(headers)
    const change = { ...(enabled !== undefined && { enabled }), ...(headers && encryptHeaders(app, id, headers)) }
    if (!await updateServer(app.db, workspaceId, id, change)) throw ToolServerNotFound()
    app.tools.own.forget(workspaceId)
    return showServer(app.db, workspaceId, id)
  })

  app.delete('/tool-servers/:server_id', {
    config: { access, errors: [ToolServerNotFound] },
    schema: {
      operationId: 'removeToolServer',
      summary: 'Remove a tool server',
      description: 'With its tools and its headers. A call that waits for approval is never made.',
      tags,
      params: ServerParams,
      response: { 204: Type.Null({ description: 'Removed' }) }
    }
  }, async ({ principal: { workspace_id: workspaceId }, params }, reply) => {
    if (!await deleteServer(app.db, workspaceId, params.server_id)) throw ToolServerNotFound()
    app.tools.own.forget(workspaceId)
    return reply.code(204).send(null)
  })

  app.post('/tool-servers/:server_id/refresh', {
    config: { access, errors: [ToolServerNotFound, ...lookErrors] },
    schema: {
      operationId: 'refreshToolServer',
      summary: 'Look at a tool server again',
      description: 'Reads which tools it offers. A tool that is new or not what was accepted is off until accepted.',
      tags,
      params: ServerParams,
      response: { 200: ToolServer }
    }
  }, async ({ principal: { workspace_id: workspaceId }, params: { server_id: id } }) => {
    await refresh(app, await requireServer(app.db, workspaceId, id))
    return showServer(app.db, workspaceId, id)
  })
}

export default servers
