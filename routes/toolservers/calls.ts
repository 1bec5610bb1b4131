import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ownName } from '../../lib/tools/workspace-tools.js'
import { ApprovalRequired, ForbiddenByPolicy, PoliciesUnavailable } from '../../schemas/errors.js'
import { CallServerTool, ServerToolResult, ServerToolParams } from '../../schemas/toolservers/servers.js'
import {
  requireAllowedTool, requireTool, NotAToolServer, ServerArgumentsInvalid, ServerToolChanged, ServerToolFailed,
  ServerToolNoReply, ServerToolNotApproved, ServerToolNotFound, ServerToolOff, ToolServerNotFound, ToolServerRefused,
  ToolServerUnreachable
} from './lib/change-tool.js'
import { callTool } from './lib/call-tool.js'
import { requireServer } from './lib/add-server.js'

const calls: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/tool-servers/:server_id/tools/:tool/calls', {
    config: {
      ungated: 'policies judge it as the tool that it calls',
      errors: [ToolServerNotFound, ServerToolNotFound, ServerToolOff, ServerToolChanged, ServerToolNotApproved,
        ServerArgumentsInvalid, ServerToolFailed, ServerToolNoReply, NotAToolServer, ToolServerRefused,
        ToolServerUnreachable, ForbiddenByPolicy, ApprovalRequired, PoliciesUnavailable]
    },
    schema: {
      operationId: 'callServerTool',
      summary: 'Call a tool of a tool server',
      description: 'Once, if the server offers it as it was accepted. The result is in the server\'s own words. ' +
        'After `server_tool_no_reply` it is not known what was done.',
      tags: ['agent'],
      params: ServerToolParams,
      body: CallServerTool,
      response: { 200: ServerToolResult }
    }
  }, async ({ principal, params, body, idempotency }) => {
    const server = await requireServer(app.db, principal.workspace_id, params.server_id)
    const tool = await requireTool(app.db, principal.workspace_id, params.server_id, params.tool)
    // The assistant sends what was approved with a key, and what only reads without.
    const unasked = principal.via === 'assistant' && !body.dry_run && idempotency === null
    if (unasked && tool.mode !== 'read') throw ServerToolNotApproved()
    if (!body.dry_run) await requireAllowedTool(app, principal, ownName(server.name, tool.name), body.arguments)
    return callTool(app, { server, tool, args: body.arguments, dryRun: body.dry_run })
  })
}

export default calls
