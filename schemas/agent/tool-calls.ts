import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, Timestamp } from '../common.js'
import { Confirmation } from './confirmations.js'
import { MessageCall } from './sessions.js'

export const ProposeToolCall = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 64, description: 'A tool that writes: its operationId' }),
  arguments: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Path parameters, query and body of the operation in one object'
  })
}, { $id: 'ProposeToolCall', additionalProperties: false })
export type ProposeToolCall = Static<typeof ProposeToolCall>

export const ToolCall = Type.Object({
  ...MessageCall.properties,
  session_id: Id,
  run_id: Id,
  confirmation: Nullable(Confirmation),
  created_at: Timestamp,
  finished_at: Nullable(Timestamp)
}, { $id: 'ToolCall', description: '`awaiting`: nothing is executed until a person approves the confirmation' })
export type ToolCall = Static<typeof ToolCall>

export const ToolCallParams = Type.Object({ tool_call_id: Id })
export const ToolCallQuery = Type.Object({
  wait_s: Type.Integer({
    minimum: 0, maximum: 60, default: 0, description: 'How long to wait for the end of a call that has none yet'
  })
})
