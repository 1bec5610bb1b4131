import { Type, type Static } from '@sinclair/typebox'
import { Id, Words } from '../common.js'
import { modes } from './servers.js'

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
