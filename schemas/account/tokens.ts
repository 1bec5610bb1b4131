import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, PageQuery, Timestamp, page } from '../common.js'
import { Scope } from './scopes.js'
import { Name } from './users.js'

export const maxDays = 365

export const ApiToken = Type.Object({
  id: Id,
  user_id: Id,
  name: Type.String(),
  prefix: Type.String({ description: 'How the secret begins' }),
  scopes: Type.Array(Scope),
  assistant: Type.Boolean({
    description: 'Made for an assistant: reads, chats and proposes, and changes nothing by itself'
  }),
  expires_at: Timestamp,
  revoked_at: Nullable(Timestamp),
  last_used_at: Nullable(Timestamp),
  created_at: Timestamp
}, { $id: 'ApiToken' })
export type ApiToken = Static<typeof ApiToken>

export const ApiTokenPage = page(ApiToken, 'ApiTokenPage')

export const ListApiTokens = Type.Object({
  ...PageQuery,
  user_id: Type.Optional(Type.String({
    pattern: '^(all|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$',
    examples: ['all'],
    description: 'For admins: the tokens of this user, or `all`. Default: your own'
  }))
})
export const ApiTokenParams = Type.Object({ token_id: Id })

export const CreateApiToken = Type.Object({
  name: Name,
  scopes: Type.Array(Scope, { minItems: 1, maxItems: 32, uniqueItems: true }),
  expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: maxDays })),
  expires_at: Type.Optional(Type.String({ format: 'date-time', description: `At most ${maxDays} days ahead` })),
  assistant: Type.Boolean({
    default: false,
    description: 'For an assistant: can never hold approvals:write, and only reads, chats and proposes'
  })
}, {
  $id: 'CreateApiToken',
  additionalProperties: false,
  description: 'Exactly one of expires_in_days and expires_at is required'
})
export type CreateApiToken = Static<typeof CreateApiToken>

export const CreatedApiToken = Type.Object({
  token: ApiToken,
  secret: Type.String({ description: 'Shown once: send it as Authorization: Bearer' })
}, { $id: 'CreatedApiToken' })
