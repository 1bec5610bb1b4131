import type { CallToolResult } from '@modelcontextprotocol/client'
import type { ServerRow, ToolRow } from '../../../db/toolservers/servers.js'
import { showLine } from '../../../lib/tools/show-text.js'
import { ApiError } from '../../../schemas/errors.js'
import { messageOf, fieldsOf, textIn } from '../../../schemas/unknown.js'
import type { ServerToolResult } from '../../../schemas/toolservers/servers.js'
import { checkArguments } from './read-schema.js'
import {
  ServerArgumentsInvalid, ServerToolChanged, ServerToolFailed, ServerToolNoReply, ServerToolOff
} from './change-tool.js'
import { explain, keepLook, lookIn, peerOf, type Deps } from './look.js'
import { ToolRefused, withSession, type Session } from './session.js'

type Block = Record<string, unknown>

const maxBlocks = 200

/** Bytes of a text in base64. */
const sizeOf = (data: unknown): number => typeof data === 'string' ? Math.floor(data.length * 3 / 4) : 0

const named = (block: unknown, fields: Record<string, string>): Block =>
  Object.fromEntries(Object.entries(fields).flatMap(([to, from]) => {
    const value = textIn(block, from)
    return value === undefined ? [] : [[to, value]]
  }))

const resource = (given: unknown): Block => {
  const { text, blob } = fieldsOf(given)
  const about = { type: 'resource', ...named(given, { uri: 'uri', mime_type: 'mimeType' }) }
  return typeof text === 'string' ? { ...about, text } : { ...about, bytes: sizeOf(blob) }
}

/** What is no text is described: nothing of others is embedded, and no link is followed. */
const show = (block: unknown): Block => {
  const { type, data, resource: inner } = fieldsOf(block)
  if (type === 'text') return { type, text: textIn(block, 'text') ?? '' }
  if (type === 'image' || type === 'audio') {
    return { type, ...named(block, { mime_type: 'mimeType' }), bytes: sizeOf(data) }
  }
  if (type === 'resource') return resource(inner)
  if (type === 'resource_link') return { type, ...named(block, { uri: 'uri', name: 'name', mime_type: 'mimeType' }) }
  return { type: 'other' }
}

/** @returns what a tool answered, as it may be stored and shown */
const showResult = ({ content, structuredContent }: CallToolResult):
{ content: Block[], structured: unknown } => {
  const blocks = content ?? []
  const more = blocks.length - maxBlocks
  return {
    content: [...blocks.slice(0, maxBlocks).map(show), ...(more > 0 ? [{ type: 'left_out', count: more }] : [])],
    structured: structuredContent ?? null
  }
}

type Args = Record<string, unknown>

export interface ServerCall { server: ServerRow, tool: ToolRow, args: Args, dryRun: boolean }

type Accepted = ToolRow & { pinned_hash: string }

/** @throws server_tool_off, server_tool_changed: what is known before the server is asked */
const requireUsable: (server: ServerRow, tool: ToolRow) => asserts tool is Accepted = (server, tool) => {
  if (!server.enabled) throw ServerToolOff(`The tool server ${server.name} is off`)
  if (tool.mode === 'off') throw ServerToolOff()
  if (tool.pinned_hash === null || tool.pinned_hash !== tool.offered_hash) throw ServerToolChanged()
}

const requireFit = ({ pinned, pinned_hash: hash }: Accepted, args: Args): void => {
  const errors = checkArguments(String(hash), pinned?.inputSchema, args)
    .map((error) => ({ ...error, pointer: `/arguments${error.pointer}` }))
  if (errors.length > 0) throw ServerArgumentsInvalid(`${errors[0]?.pointer} ${errors[0]?.message}`, { errors })
}

/** @throws server_tool_changed: what the server offers now was never accepted */
const requireSame = async (deps: Deps, server: ServerRow, tool: Accepted, session: Session) => {
  const found = await lookIn(session)
  await keepLook(deps, server, found)
  const now = found.offered.find(({ name }) => name === tool.name)
  const definition = found.tools.find(({ name }) => name === tool.name)
  if (now?.hash !== tool.pinned_hash || !definition) throw ServerToolChanged()
  return definition
}

const noReply = (error: unknown): ApiError =>
  ServerToolNoReply(`What the tool did is not known: ${showLine(messageOf(error))}`)

const failed = (result: CallToolResult): ApiError => ServerToolFailed(undefined, { result: showResult(result) })

const run = async (session: Session, definition: Parameters<Session['callTool']>[0], args: Args) => {
  try {
    const result = await session.callTool(definition, args)
    if (result.isError) throw failed(result)
    return result
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (error instanceof ToolRefused) throw ServerToolFailed(`The call was refused: ${showLine(error.message)}`)
    throw noReply(error)
  }
}

const inSession = async (deps: Deps, call: ServerCall & { tool: Accepted }, session: Session) => {
  const { server, tool, args, dryRun } = call
  const definition = await requireSame(deps, server, tool, session)
  return dryRun ? undefined : run(session, definition, args)
}

/**
 * Calls a tool of a server once. In the same session the server is asked first what it offers: a tool that is not what
 * an admin accepted is not called. A dry run ends there.
 * @throws server_tool_off, server_tool_changed, server_arguments_invalid, server_tool_failed, server_tool_no_reply, and
 *   as `look`
 */
export const callTool = async (deps: Deps, call: ServerCall): Promise<ServerToolResult> => {
  const { server, tool, args } = call
  requireUsable(server, tool)
  requireFit(tool, args)
  const result = await withSession(deps, peerOf(deps, server), (session) => inSession(deps, { ...call, tool }, session))
    .catch((error: unknown) => { throw explain(error) })
  return {
    server_id: server.id,
    server: server.name,
    url: server.url,
    tool: tool.name,
    mode: tool.mode,
    hash: tool.pinned_hash,
    called: result !== undefined,
    ...(result ? showResult(result) : { content: [], structured: null })
  }
}
