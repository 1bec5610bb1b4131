import { insertServer, isDuplicateServerName, listServers, newServerId } from '../../../db/toolservers/servers.js'
import { insertPinned } from '../../../db/toolservers/tools.js'
import type { Principal } from '../../../lib/security/principal.js'
import { InvalidRequest } from '../../../schemas/errors.js'
import { maxServers, type AddToolServer } from '../../../schemas/toolservers/servers.js'
import { ToolServerNameTaken, TooManyToolServers } from './errors.js'
import { look, type Deps } from './look.js'

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
