import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, Timestamp } from '../common.js'
import { Confirmation } from './confirmations.js'
import { MessageCall } from './sessions.js'

export const FindTools = Type.Object({
  query: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'What is to be done, in plain words of any language, such as "compare two versions of an article"'
  })
})

export const FoundTool = Type.Object({
  name: Type.String({ description: 'The operationId' }),
  effect: Type.Union([Type.Literal('read'), Type.Literal('write')], {
    description: 'A read runs at once; a write asks a person first'
  }),
  description: Type.String({ description: 'When to use it and what it gives back' })
}, { $id: 'FoundTool' })

export const FoundTools = Type.Object({
  items: Type.Array(FoundTool, { description: 'The best first' }),
  names: Type.Array(Type.String(), { description: 'Their names: the assistant has these tools from now on' })
}, { $id: 'FoundTools' })
export type FoundTools = Static<typeof FoundTools>

const proposedCall = {
  name: Type.String({ minLength: 1, maxLength: 64, description: 'A tool that writes: its operationId' }),
  arguments: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Path parameters, query and body of the operation in one object'
  }),
  follows: Type.Optional(Type.Unsafe<string>({
    ...Id, description: 'The confirmation of mine in which a person asked for changes: the new one is on its thread'
  }))
}

export const ProposeToolCall = Type.Object(proposedCall, { $id: 'ProposeToolCall', additionalProperties: false })
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

export const ProposePlan = Type.Object({
  calls: Type.Array(Type.Object(proposedCall, { additionalProperties: false }), {
    minItems: 2, maxItems: 10, description: 'Writes in the order in which they are to run'
  })
}, { $id: 'ProposePlan', additionalProperties: false })
export type ProposePlan = Static<typeof ProposePlan>

export const ProposedPlan = Type.Object({
  session_id: Id,
  run_id: Id,
  items: Type.Array(ToolCall, { description: 'In their order; one without a confirmation is asked with the plan' })
}, { $id: 'ProposedPlan' })
export type ProposedPlan = Static<typeof ProposedPlan>

export const ToolCallParams = Type.Object({ tool_call_id: Id })
export const ToolCallQuery = Type.Object({
  wait_s: Type.Integer({
    minimum: 0, maximum: 60, default: 0, description: 'How long to wait for the end of a call that has none yet'
  })
})
