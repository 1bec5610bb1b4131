import { Type } from '@sinclair/typebox'
import { Id, Nullable, Words } from '../common.js'

export const GenerateTitle = Type.Object({
  session_id: Type.Optional(Id),
  messages: Type.Optional(Type.Array(Type.Object({
    role: Words(['user', 'assistant']),
    content: Type.String({ maxLength: 20_000 })
  }, { additionalProperties: false }), { minItems: 1, maxItems: 50 }))
}, { $id: 'GenerateTitle', additionalProperties: false, description: 'A session, or messages; exactly one of them' })

export const SessionTitle = Type.Object({
  session_id: Nullable(Id),
  title: Type.String()
}, { $id: 'SessionTitle' })
