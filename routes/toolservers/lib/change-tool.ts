import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../db/index.js'
import { acceptOffered, findTool, setMode, type ToolRow } from '../../../db/toolservers/servers.js'
import type { Principal } from '../../../lib/security/principal.js'
import { PoliciesUnavailable, defineError } from '../../../schemas/errors.js'
import type { UpdateServerTool } from '../../../schemas/toolservers/servers.js'

type Deps = Pick<FastifyInstance, 'policies' | 'tools' | 'requireAllowed'>

/**
 * The route is no tool itself, so the gate does not know which tool it calls.
 * @param name as a model knows the tool
 * @throws forbidden_by_policy, approval_required, policies_unavailable, and the error of a read of the plan
 */
export const requireAllowedTool = async (app: Deps, principal: Principal, name: string,
  args: Record<string, unknown>): Promise<void> => {
  const { workspace_id: workspaceId } = principal
  if (principal.via === 'assistant' || !await app.policies.of(workspaceId)) return
  await app.tools.own.load(workspaceId)
  const tool = app.tools.find(name, workspaceId)
  // One whose definition nobody can use has no plan, and is not called unjudged.
  if (!tool) throw PoliciesUnavailable().withHeaders({ 'retry-after': '5' })
  await app.requireAllowed(principal, tool, args)
}

export const ToolServerNotFound = defineError('tool_server_not_found', 'There is no such tool server', 404)
export const ServerToolNotFound = defineError('server_tool_not_found', 'The tool server has no such tool', 404)
export const ToolServerNameTaken = defineError('tool_server_name_taken', 'Another tool server has this name', 409)
export const TooManyToolServers = defineError('too_many_tool_servers', 'There are as many tool servers as may be', 409)
export const StaleDefinition = defineError('stale_definition', 'The server offers another definition now', 409)
export const ServerToolOff = defineError('server_tool_off', 'The tool is off', 409)
export const ServerToolChanged = defineError('server_tool_changed',
  'The server\'s tool is not what was accepted: it is off until an admin accepts it', 409)
export const ServerToolNotApproved = defineError('server_tool_not_approved',
  'The tool asks a person first, and none was asked', 409)
export const ToolServerRefused = defineError('tool_server_refused', 'The tool server cannot be asked', 422)
export const NotAToolServer = defineError('not_a_tool_server', 'What answers there is no MCP server', 422)
export const ServerArgumentsInvalid = defineError('server_arguments_invalid', 'The arguments do not fit the tool', 422)
export const ServerToolFailed = defineError('server_tool_failed', 'The server says that the tool failed', 422)
export const ToolServerUnreachable = defineError('tool_server_unreachable', 'The tool server does not answer', 502)
export const ServerToolNoReply = defineError('server_tool_no_reply',
  'The tool was called, and no reply came that can be read', 504)

/** @throws server_tool_not_found */
export const requireTool = async (db: Db, workspaceId: string, serverId: string, name: string): Promise<ToolRow> => {
  const tool = await findTool(db, workspaceId, serverId, name)
  if (!tool) throw ServerToolNotFound()
  return tool
}

/** What was seen is what is accepted. @throws stale_definition */
const accept = async (db: Db, { workspace_id: workspaceId, user_id: by }: Principal, tool: ToolRow, hash: string) => {
  if (await acceptOffered(db, workspaceId, tool.server_id, tool.name, { hash, by })) return
  const message = 'is not what the server offers now: look at it again'
  throw StaleDefinition(`/accept ${message}`, {
    offered_hash: tool.offered_hash, errors: [{ pointer: '/accept', code: 'stale_definition', message }]
  })
}

/** @returns the tool afterwards. @throws server_tool_not_found, stale_definition; nothing is written then */
export const changeTool = async (db: Db, principal: Principal, { server_id: serverId, tool: name }:
{ server_id: string, tool: string }, change: UpdateServerTool): Promise<ToolRow> => {
  const { workspace_id: workspaceId } = principal
  return db.transaction().execute(async (trx) => {
    const tool = await requireTool(trx, workspaceId, serverId, name)
    if (change.accept !== undefined) await accept(trx, principal, tool, change.accept)
    if (change.mode !== undefined) await setMode(trx, workspaceId, serverId, name, change.mode)
    return requireTool(trx, workspaceId, serverId, name)
  })
}
