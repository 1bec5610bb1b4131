import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Tool } from '@modelcontextprotocol/client'
import {
  saveLook, type ServerRow, listTools, saveGone, saveOffered, type Offered, type ToolRow
} from '../../../db/toolservers/servers.js'
import { requireStorable } from '../../../lib/http/storable.js'
import { OutboundError } from '../../../lib/outbound/errors.js'
import { showLine } from '../../../lib/tools/show-text.js'
import { ApiError } from '../../../schemas/errors.js'
import { messageOf, isObject } from '../../../schemas/unknown.js'
import type { LeftOut } from '../../../schemas/toolservers/servers.js'
import { NotAToolServer, ToolServerRefused, ToolServerUnreachable } from './change-tool.js'
import { readSchema, SchemaUnfit } from './read-schema.js'
import { withSession, type Outbound, type Peer, type Session } from './session.js'

/** With the server's name and the separator before it, a name of 64 characters, which is what a model takes. */
const toolName = /^[A-Za-z0-9_-]{1,42}$/
const maxBytes = 32_768

/** What is pinned: all that a model or a person could read of it. Icons and the like are not. */
const members = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations']

const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, canonical(value[key])]))
}

/** Names that a person may take for each other. */
const likeness = (name: string): string => name.toLowerCase().replace(/[-_]/g, '').replace(/0/g, 'o').replace(/[1i]/g, 'l')

/** @returns the definition as it is pinned. @throws SchemaUnfit where it cannot be used */
const readOne = (given: Record<string, unknown>, seen: ReadonlySet<string>): Offered => {
  const { name } = given
  if (typeof name !== 'string' || !toolName.test(name)) {
    throw new SchemaUnfit('its name is not 1 to 42 letters, digits, hyphens and underscores')
  }
  if (seen.has(likeness(name))) throw new SchemaUnfit('its name looks like that of another')
  const definition = Object.fromEntries(members.filter((key) => given[key] !== undefined)
    .map((key) => [key, canonical(given[key])]))
  const text = JSON.stringify(definition)
  if (Buffer.byteLength(text) > maxBytes) throw new SchemaUnfit(`it is larger than ${maxBytes} bytes`)
  readSchema(given.inputSchema)
  try {
    requireStorable(definition)
  } catch {
    throw new SchemaUnfit('it holds NUL or half of a surrogate pair')
  }
  return { name, definition, hash: `sha256:${createHash('sha256').update(text).digest('hex')}` }
}

/** @returns the tools of a server as they are pinned, and those that cannot be used */
const readDefinitions = (tools: readonly unknown[]): { offered: Offered[], leftOut: LeftOut[] } => {
  const offered: Offered[] = []
  const leftOut: LeftOut[] = []
  const seen = new Set<string>()
  for (const tool of tools) {
    const given = isObject(tool) ? tool : {}
    try {
      offered.push(readOne(given, seen))
      seen.add(likeness(String(given.name)))
    } catch (error) {
      if (!(error instanceof SchemaUnfit)) throw error
      leftOut.push({ name: showLine(String(given.name).toWellFormed().replaceAll('\0', '')), reason: error.message })
    }
  }
  return { offered, leftOut }
}

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
