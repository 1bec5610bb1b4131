import type { Db } from '../../../db/index.js'
import {
  insertServer, isDuplicateServerName, listServers, newServerId, insertPinned, countTools, findServer, type ServerRow,
  listTools, type ToolRow
} from '../../../db/toolservers/servers.js'
import type { Principal } from '../../../lib/security/principal.js'
import { unifiedDiff } from '../../../lib/tools/show-changes.js'
import { escapeText } from '../../../lib/tools/show-text.js'
import { ownName } from '../../../lib/tools/workspace-tools.js'
import { InvalidRequest } from '../../../schemas/errors.js'
import {
  maxServers, type AddToolServer, type ServerTool, type ToolServer, type ToolState, type Definition
} from '../../../schemas/toolservers/servers.js'
import { ToolServerNameTaken, TooManyToolServers, ToolServerNotFound } from './change-tool.js'
import { look, type Deps } from './look.js'

/** As a person reads it: on lines, with what they would not see as escapes. */
const textOf = (definition: Definition | null): string | null =>
  definition && escapeText(JSON.stringify(definition, null, 2))

/** @returns what has changed, as a unified diff without file names; null where either is missing, or nothing has */
const diffOf = async (accepted: string | null, offered: string | null): Promise<string | null> =>
  accepted === null || offered === null || accepted === offered ? null : unifiedDiff(accepted, offered)

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

/** Those that the protocol and the connection set. */
const ownHeaders = /^(host|connection|content-.*|accept|accept-.*|transfer-encoding|keep-alive|te|upgrade|mcp-.*|expect)$/i

/** A prefix that would read as ours. */
const reserved = new Set(['steward', 'system', 'platform'])

const invalid = (pointer: string, code: string, message: string) =>
  InvalidRequest(`${pointer} ${message}`, { errors: [{ pointer, code, message }] })

/** @throws invalid_request */
export const requireHeaders = (headers: Record<string, string>): void => {
  const own = Object.keys(headers).find((name) => ownHeaders.test(name))
  if (own !== undefined) throw invalid(`/headers/${own}`, 'header_reserved', 'is set by the protocol')
}

/** @returns the headers as they are stored */
export const encryptHeaders = ({ secrets }: Pick<Deps, 'secrets'>, id: string, headers: Record<string, string>) => {
  const names = Object.keys(headers)
  const text = JSON.stringify(headers)
  return {
    header_names: names.sort(),
    headers: names.length > 0 ? secrets.encrypt(`tool_server|${id}|headers`, text) : null
  }
}

const taken = (message = 'Another tool server has this name') =>
  ToolServerNameTaken(message, { errors: [{ pointer: '/name', code: 'tool_server_name_taken', message }] })

/** @throws invalid_request, tool_server_name_taken, too_many_tool_servers: what is known before it is asked */
const requireRoom = async ({ db }: Pick<Deps, 'db'>, workspaceId: string, { name, headers }: AddToolServer) => {
  requireHeaders(headers ?? {})
  if (reserved.has(name)) throw invalid('/name', 'name_reserved', 'would read as one of ours')
  const servers = await listServers(db, workspaceId)
  if (servers.some((server) => server.name === name)) throw taken()
  if (servers.length >= maxServers) throw TooManyToolServers(`There may be ${maxServers}: remove one first`)
}

/**
 * Adds a server after a look at it. Its tools are accepted as they are now; each call of them asks. Nothing is written
 * when it is none. @returns its id
 * @throws as `requireRoom` and `look`
 */
export const addServer = async (deps: Deps, principal: Principal, body: AddToolServer): Promise<string> => {
  const { workspace_id: workspaceId, user_id: userId } = principal
  await requireRoom(deps, workspaceId, body)
  const { name, url, headers = {} } = body
  const { offered, leftOut } = await look(deps, { url, headers })
  const id = newServerId()
  const server = { id, name, url, ...encryptHeaders(deps, id, headers), left_out: leftOut, created_by: userId }
  await deps.db.transaction().execute(async (trx) => {
    await insertServer(trx, workspaceId, server)
    await insertPinned(trx, workspaceId, id, userId, offered)
  }).catch((error: unknown) => { throw isDuplicateServerName(error) ? taken() : error })
  deps.tools.own.forget(workspaceId)
  return id
}
