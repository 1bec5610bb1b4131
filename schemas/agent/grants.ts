import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, page, PageQuery, Timestamp, Words } from '../common.js'
import { PreviewRow, Target } from './events.js'

export const GiveGrant = Type.Object({
  confirmation_id: Id,
  minutes: Type.Integer({ minimum: 1, maximum: 60, description: 'From now on' })
}, { $id: 'GiveGrant', additionalProperties: false })
export type GiveGrant = Static<typeof GiveGrant>

export const ArgumentBound = Type.Object({
  name: Type.String(),
  minimum: Type.Optional(Type.Number({ description: 'Of a number: the smallest that is covered' })),
  maximum: Type.Optional(Type.Number({ description: 'Of a number: the largest that is covered' })),
  equals: Type.Optional(Type.Unknown({ description: 'Of anything else: the one value that is covered' }))
}, { $id: 'ArgumentBound', description: 'Which values of an argument a grant covers' })
export type ArgumentBound = Static<typeof ArgumentBound>

export const GrantBounds = Type.Object({
  arguments: Type.Array(ArgumentBound, { description: 'Of each argument; a call with any other is asked about' }),
  changes: Type.Array(PreviewRow, {
    description: 'The changes that the card displayed: a call is covered that makes no other change'
  }),
  risk: Words(['low', 'medium', 'high'], { description: 'A call of higher risk is asked about' })
}, { $id: 'GrantBounds', description: 'What a grant covers: no more than the card of the approval displayed' })
export type GrantBounds = Static<typeof GrantBounds>

export const Grant = Type.Object({
  id: Id,
  session_id: Id,
  confirmation_id: Id,
  tool: Type.String(),
  target: Target,
  summary: Type.String({ description: 'What was approved when it was given' }),
  bounds: Nullable(GrantBounds),
  live: Type.Boolean({ description: 'false: it has expired, was revoked, or foreign text that was read has ended it' }),
  tainted: Type.Boolean({ description: 'The conversation has read foreign text since: it does not hold any more' }),
  uses: Type.Integer({ description: 'Calls that ran under it' }),
  created_at: Timestamp,
  expires_at: Timestamp,
  ended_at: Nullable(Timestamp)
}, {
  $id: 'Grant',
  description: 'For a time the conversation may repeat what was approved, within the bounds, without asking again'
})
export type Grant = Static<typeof Grant>

export const GrantPage = page(Grant, 'GrantPage')
export const GrantQuery = Type.Object(PageQuery)
export const GrantParams = Type.Object({ grant_id: Id })
