import type { Db } from '../../../db/index.js'
import { countTools, findServer, listServers, type ServerRow } from '../../../db/toolservers/servers.js'
import { listTools, type ToolRow } from '../../../db/toolservers/tools.js'
import { ownName } from '../../../lib/tools/workspace-tools.js'
import type { ServerTool, ToolServer, ToolState } from '../../../schemas/toolservers/servers.js'
import { diffOf, textOf } from './diff-definitions.js'
import { ToolServerNotFound } from './errors.js'

type Counts = Awaited<ReturnType<typeof countTools>>

const show = (server: ServerRow, counts: Counts): ToolServer => {
  const { workspace_id: _, headers: __, ...shown } = server
  const { tools = 0, waiting = 0 } = counts.find(({ server_id: id }) => id === server.id) ?? {}
  return { ...shown, tools: Number(tools), waiting: Number(waiting) }
}

/** @throws tool_server_not_found */
export const requireServer = async (db: Db, workspaceId: string, id: string): Promise<ServerRow> => {
  const server = await findServer(db, workspaceId, id)
  if (!server) throw ToolServerNotFound()
  return server
}

export const showServers = async (db: Db, workspaceId: string) => {
  const [servers, counts] = await Promise.all([listServers(db, workspaceId), countTools(db, workspaceId)])
  return { items: servers.map((server) => show(server, counts)) }
}

/** @throws tool_server_not_found */
export const showServer = async (db: Db, workspaceId: string, id: string): Promise<ToolServer> => {
  const [server, counts] = await Promise.all([requireServer(db, workspaceId, id), countTools(db, workspaceId)])
  return show(server, counts)
}

const stateOf = ({ pinned_hash: pinned, offered_hash: offered }: ToolRow): ToolState => {
  if (pinned === offered) return 'accepted'
  if (pinned === null) return 'new'
  return offered === null ? 'gone' : 'changed'
}

export const showTool = async (server: ServerRow, tool: ToolRow): Promise<ServerTool> => {
  const [accepted, offered] = [textOf(tool.pinned), textOf(tool.offered)]
  return {
    name: tool.name,
    called: ownName(server.name, tool.name),
    mode: tool.mode,
    state: stateOf(tool),
    accepted_hash: tool.pinned_hash,
    accepted,
    offered_hash: tool.offered_hash,
    offered,
    diff: await diffOf(accepted, offered),
    accepted_at: tool.accepted_at
  }
}

/** @throws tool_server_not_found */
export const showTools = async (db: Db, workspaceId: string, id: string) => {
  const server = await requireServer(db, workspaceId, id)
  const tools = await listTools(db, workspaceId, id)
  return { items: await Promise.all(tools.map((tool) => showTool(server, tool))) }
}
