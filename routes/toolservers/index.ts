import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import calls from './calls.js'
import { listForeignTools } from './lib/foreign-tool.js'
import servers from './servers.js'
import tools from './tools.js'

/** Other people's MCP servers, whose tools the assistant has beside ours. */
const toolServers: FastifyPluginAsyncTypebox = async (app) => {
  app.protect(app, 'agent')
  app.tools.own.source = (workspaceId) => listForeignTools(app.db, workspaceId)
  await app.register(servers)
  await app.register(tools)
  await app.register(calls)
}

export default toolServers
