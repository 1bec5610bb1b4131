import type { FastifyInstance } from 'fastify'
import type { Tool } from '@modelcontextprotocol/client'
import { saveLook, type ServerRow } from '../../../db/toolservers/servers.js'
import { listTools, saveGone, saveOffered, type Offered, type ToolRow } from '../../../db/toolservers/tools.js'
import { OutboundError } from '../../../lib/outbound/errors.js'
import { showLine } from '../../../lib/tools/show-text.js'
import { ApiError } from '../../../schemas/errors.js'
import { messageOf } from '../../../schemas/thrown.js'
import type { LeftOut } from '../../../schemas/toolservers/servers.js'
import { NotAToolServer, ToolServerRefused, ToolServerUnreachable } from './errors.js'
import { readDefinitions } from './read-definition.js'
import { withSession, type Outbound, type Peer, type Session } from './session.js'

export type Deps = Outbound & Pick<FastifyInstance, 'db' | 'secrets' | 'tools'>

/** What a server offers at this moment. */
export interface Look {
  /** As the client of the protocol has them. */
  tools: Tool[]
  offered: Offered[]
  leftOut: LeftOut[]
}

const pointed = (pointer: string, code: string, message: string) => ({ errors: [{ pointer, code, message }] })

/** @returns why a server was not understood, in our words; what it sent is not among them but for a short line */
export const explain = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error
  if (!(error instanceof OutboundError)) {
    const message = `It does not speak the Model Context Protocol over streamable HTTP: ${showLine(messageOf(error))}`
    return NotAToolServer(message, pointed('/url', 'not_a_tool_server', message))
  }
  const { code, message } = error
  if (code === 'url_not_allowed') return ToolServerRefused(message, pointed('/url', code, message))
  if (code === 'url_too_large') return NotAToolServer(message, pointed('/url', code, message))
  return ToolServerUnreachable(message, pointed('/url', code, message))
}

/** Looks at a server's tools in an open session. */
export const lookIn = async (session: Session): Promise<Look> => {
  const tools = await session.listTools()
  return { tools, ...readDefinitions(tools) }
}

/** @throws not_a_tool_server, tool_server_refused, tool_server_unreachable */
export const look = async (deps: Outbound, peer: Peer): Promise<Look> => {
  try {
    return await withSession(deps, peer, lookIn)
  } catch (error) {
    throw explain(error)
  }
}

/** @returns how to reach a server that is kept */
export const peerOf = ({ secrets }: Pick<Deps, 'secrets'>, { id, url, headers }: ServerRow): Peer => ({
  url,
  // It was encrypted from such an object.
  headers: headers ? JSON.parse(secrets.decrypt(`tool_server|${id}|headers`, headers)) as Record<string, string> : {}
})

const changesIn = (rows: readonly ToolRow[], offered: readonly Offered[]) => {
  const known = new Map(rows.map((row) => [row.name, row]))
  const names = new Set(offered.map(({ name }) => name))
  return {
    changed: offered.filter(({ name, hash }) => known.get(name)?.offered_hash !== hash),
    gone: rows.filter(({ name, offered_hash: hash }) => !names.has(name) && hash !== null)
  }
}

/** Keeps what a look found where it is not what was known. @returns whether it was not */
export const keepLook = async ({ db, tools }: Pick<Deps, 'db' | 'tools'>, { workspace_id, id }: ServerRow,
  { offered, leftOut }: Look): Promise<boolean> => {
  const { changed, gone } = changesIn(await listTools(db, workspace_id, id), offered)
  if (changed.length + gone.length === 0) return false
  await db.transaction().execute(async (trx) => {
    for (const one of changed) await saveOffered(trx, workspace_id, id, one)
    for (const { name } of gone) await saveGone(trx, workspace_id, id, name)
    await saveLook(trx, workspace_id, id, leftOut, null)
  })
  tools.own.forget(workspace_id)
  return true
}

/** Looks again, because an admin asks. A look that fails is kept as the server's problem, and thrown. */
export const refresh = async (deps: Deps, server: ServerRow): Promise<void> => {
  const { workspace_id: workspaceId, id } = server
  try {
    const found = await look(deps, peerOf(deps, server))
    if (!await keepLook(deps, server, found)) await saveLook(deps.db, workspaceId, id, found.leftOut, null)
  } catch (error) {
    if (error instanceof ApiError) {
      await saveLook(deps.db, workspaceId, id, undefined, { code: error.code, detail: error.message })
    }
    throw error
  }
}
