import { Type, type Static } from '@sinclair/typebox'
import { Nullable, Timestamp, Words } from '../common.js'

/** How much a model puts into an answer, the least first. */
export const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = typeof efforts[number]

export const Effort = Words(efforts, { description: 'How much the model puts into its answers' })

/** As the model finds right, not at all, or with a budget of tokens, 1,024 at least. */
export const thinkingPattern =
  '^(adaptive|disabled|102[4-9]|10[3-9]\\d|1[1-9]\\d\\d|[2-9]\\d{3}|[1-9]\\d{4,5})$'

export const ThinkingMode = Type.String({
  pattern: thinkingPattern,
  examples: ['adaptive'],
  description: 'How the model thinks: `adaptive`, as it finds right; `disabled`; or the tokens that it may think'
})

/** As a provider names it. */
export const ModelName = { pattern: '^[\\w.:/@-]{1,100}$', examples: ['claude-sonnet-5'] } as const

/** What a person has chosen for a session; null = as configured. */
export interface OwnThinking { effort: Effort | null, thinking: string | null }

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
