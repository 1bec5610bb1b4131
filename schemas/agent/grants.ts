import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, page, PageQuery, Timestamp } from '../common.js'
import { Target } from './events.js'

export const GiveGrant = Type.Object({
  confirmation_id: Id,
  minutes: Type.Integer({ minimum: 1, maximum: 60, description: 'From now on' })
}, { $id: 'GiveGrant', additionalProperties: false })
export type GiveGrant = Static<typeof GiveGrant>

export const Grant = Type.Object({
  id: Id,
  session_id: Id,
  confirmation_id: Id,
  tool: Type.String(),
  target: Target,
  summary: Type.String({ description: 'What was approved when it was given' }),
  live: Type.Boolean({ description: 'false: it has expired, was revoked, or foreign text that was read has ended it' }),
  tainted: Type.Boolean({ description: 'The conversation has read foreign text since: it does not hold any more' }),
  uses: Type.Integer({ description: 'Calls that ran under it' }),
  created_at: Timestamp,
  expires_at: Timestamp,
  ended_at: Nullable(Timestamp)
}, {
  $id: 'Grant', description: 'For a time the conversation may run the tool on the same target without asking again'
})
export type Grant = Static<typeof Grant>

export const GrantPage = page(Grant, 'GrantPage')
export const GrantQuery = Type.Object(PageQuery)
export const GrantParams = Type.Object({ grant_id: Id })
