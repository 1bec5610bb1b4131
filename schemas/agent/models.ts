import { Type, type Static } from '@sinclair/typebox'
import { Nullable, Timestamp, Words } from '../common.js'
import { efforts } from './thinking.js'

export const ChatModel = Type.Object({
  id: Type.String(),
  name: Type.String(),
  is_default: Type.Boolean({ description: 'It is asked where a session has chosen none' }),
  is_listed: Type.Boolean({ description: 'The provider lists it; the others are configured' }),
  is_priced: Type.Boolean({ description: 'Without a price it cannot be chosen' }),
  window: Type.Integer({ description: 'Tokens that request and answer may have together' }),
  max_output_tokens: Nullable(Type.Integer()),
  lifecycle: Nullable(Words(['active', 'deprecated', 'retired'])),
  retires_at: Nullable(Timestamp),
  efforts: Nullable(Type.Array(Words(efforts))),
  thinking: Nullable(Type.Array(Words(['adaptive', 'enabled', 'disabled']))),
  images: Nullable(Type.Boolean())
}, { $id: 'ChatModel', description: 'null = the provider does not say' })
export type ChatModel = Static<typeof ChatModel>

export const ChatModels = Type.Object({
  items: Type.Array(ChatModel),
  complete: Type.Boolean({ description: 'false: the provider gave no list; only configured models are here' })
}, { $id: 'ChatModels' })
export type ChatModels = Static<typeof ChatModels>
