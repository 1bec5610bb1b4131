import type { Db } from '../../../db/index.js'
import { acceptOffered, findTool, setMode, type ToolRow } from '../../../db/toolservers/tools.js'
import type { Principal } from '../../../lib/security/principal.js'
import type { UpdateServerTool } from '../../../schemas/toolservers/servers.js'
import { ServerToolNotFound, StaleDefinition } from './errors.js'

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
