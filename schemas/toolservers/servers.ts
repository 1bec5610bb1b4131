import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, Timestamp, Words } from '../common.js'

const closed = { additionalProperties: false }

const modes = ['read', 'ask', 'off'] as const
export type Mode = typeof modes[number]

export const maxServers = 20
export const maxTools = 100

const Name = Type.String({
  pattern: '^[a-z][a-z0-9]{0,19}$',
  examples: ['tracker'],
  description: 'Stands before the names of its tools, with two underscores: a lower-case letter, then up to 19 ' +
    'lower-case letters and digits'
})

const Headers = Type.Record(
  Type.String({ pattern: '^[A-Za-z0-9-]{1,60}$', examples: ['authorization'] }),
  Type.String({ minLength: 1, maxLength: 4_000, pattern: '^[\\x20-\\x7e]+$', examples: ['Bearer the-token'] }),
  {
    ...closed,
    maxProperties: 8,
    description: 'Sent with every request to the server, such as Authorization: Bearer and its token. Write-only'
  }
)

export const ServerProblem = Type.Object({
  code: Type.String(),
  detail: Type.String()
}, { $id: 'ServerProblem', description: 'Why the last look at the server found no tools' })
export type ServerProblem = Static<typeof ServerProblem>

export const LeftOut = Type.Object({
  name: Type.String({ description: 'As the server writes it; invisible characters are escaped' }),
  reason: Type.String()
}, { $id: 'LeftOut', description: 'A tool that cannot be used, and why' })
export type LeftOut = Static<typeof LeftOut>

/** What a server says of a tool, whole: all of it is pinned. */
export const Definition = Type.Record(Type.String(), Type.Unknown())
export type Definition = Static<typeof Definition>

export const toolStates = ['accepted', 'changed', 'new', 'gone'] as const
export type ToolState = typeof toolStates[number]

export const ToolServer = Type.Object({
  id: Id,
  name: Name,
  url: Type.String(),
  header_names: Type.Array(Type.String(), { description: 'Of the headers that are sent; their values are not shown' }),
  enabled: Type.Boolean(),
  tools: Type.Integer({ description: 'How many tools it has' }),
  waiting: Type.Integer({ description: 'How many of them are new, changed or gone: those are off until accepted' }),
  left_out: Type.Array(LeftOut),
  problem: Nullable(ServerProblem),
  looked_at: Nullable(Timestamp),
  revision: Type.Integer(),
  created_at: Timestamp
}, { $id: 'ToolServer' })
export type ToolServer = Static<typeof ToolServer>

export const ToolServers = Type.Object({ items: Type.Array(ToolServer) }, { $id: 'ToolServers' })

export const AddToolServer = Type.Object({
  name: Name,
  url: Type.String({
    maxLength: 2_000,
    pattern: '^https?://[^\\s/?#][^\\s#]*$',
    examples: ['https://tools.example.com/mcp'],
    description: 'Its endpoint of streamable HTTP, a public address'
  }),
  headers: Type.Optional(Headers)
}, { $id: 'AddToolServer', ...closed })
export type AddToolServer = Static<typeof AddToolServer>

export const UpdateToolServer = Type.Object({
  enabled: Type.Optional(Type.Boolean({ description: 'false: none of its tools is offered or called' })),
  headers: Type.Optional(Headers)
}, { $id: 'UpdateToolServer', ...closed, minProperties: 1, description: 'Another address is another server' })
export type UpdateToolServer = Static<typeof UpdateToolServer>

export const ServerTool = Type.Object({
  name: Type.String(),
  called: Type.String({ description: 'How the assistant calls it: the server\'s name stands before it' }),
  mode: Words(modes, { description: 'read: runs at once; ask: a person approves each call; off: never' }),
  state: Words(toolStates, {
    description: 'accepted: what the server offers is what was accepted. Any other is off: changed, new since the ' +
      'server was added, or gone from it'
  }),
  accepted_hash: Nullable(Type.String()),
  accepted: Nullable(Type.String({ description: 'The definition that was accepted, as JSON on lines' })),
  offered_hash: Nullable(Type.String()),
  offered: Nullable(Type.String({ description: 'What the server says now, as JSON on lines; null = it is gone' })),
  diff: Nullable(Type.String({ description: 'From what was accepted to what is offered, as a unified diff' })),
  accepted_at: Nullable(Timestamp)
}, { $id: 'ServerTool' })
export type ServerTool = Static<typeof ServerTool>

export const ServerTools = Type.Object({ items: Type.Array(ServerTool) }, { $id: 'ServerTools' })

export const UpdateServerTool = Type.Object({
  mode: Type.Optional(Words(modes)),
  accept: Type.Optional(Type.String({
    pattern: '^sha256:[0-9a-f]{64}$',
    examples: ['sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'],
    description: 'The offered_hash that was read: what was seen is what is accepted'
  }))
}, { $id: 'UpdateServerTool', ...closed, minProperties: 1 })
export type UpdateServerTool = Static<typeof UpdateServerTool>

export const ServerParams = Type.Object({ server_id: Id })
export const ServerToolParams = Type.Object({
  server_id: Id,
  tool: Type.String({ pattern: '^[A-Za-z0-9_-]{1,42}$', examples: ['search'], description: 'As the server calls it' })
})

export const CallServerTool = Type.Object({
  arguments: Type.Record(Type.String(), Type.Unknown(), { description: 'As the accepted definition takes them' }),
  dry_run: Type.Boolean({
    default: false, description: 'Only looks whether it could be called: at the server, but the tool is not called'
  })
}, { $id: 'CallServerTool', additionalProperties: false })
export type CallServerTool = Static<typeof CallServerTool>

export const ServerToolResult = Type.Object({
  server_id: Id,
  server: Type.String(),
  url: Type.String(),
  tool: Type.String(),
  mode: Words(modes),
  hash: Type.String({ description: 'Of the accepted definition, which the server offered right before' }),
  called: Type.Boolean(),
  content: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
    description: 'What the tool answered, in its own words. Images and files are described, not contained'
  }),
  structured: Type.Unknown({ description: 'What it answered as data; null = nothing' })
}, { $id: 'ServerToolResult' })
export type ServerToolResult = Static<typeof ServerToolResult>
