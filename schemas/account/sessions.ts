import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, PageQuery, Timestamp, page } from '../common.js'
import { User, PersonName } from './users.js'

export const Delegation = Type.Object({
  id: Id,
  from: PersonName,
  to: PersonName,
  until: Timestamp,
  revoked_at: Nullable(Timestamp),
  created_at: Timestamp
}, { $id: 'Delegation', description: '`to` approves for `from`, as one of the groups of `from`, until a time' })
export type Delegation = Static<typeof Delegation>

export const DelegationPage = page(Delegation, 'DelegationPage')
export const ListDelegations = Type.Object(PageQuery)
export const DelegationParams = Type.Object({ delegation_id: Id })

export const CreateDelegation = Type.Object({
  to: Type.Unsafe<string>({ ...Id, description: 'Who approves for me' }),
  until: Type.String({ format: 'date-time', maxLength: 40, description: 'At most 30 days from now' })
}, { $id: 'CreateDelegation', additionalProperties: false })
export type CreateDelegation = Static<typeof CreateDelegation>

export const SignIn = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 256, description: 'What follows #token= in a one-time link' })
}, { $id: 'SignIn', additionalProperties: false })

export const SignedIn = Type.Object({ user: User }, { $id: 'SignedIn' })

export const BrowserSession = Type.Object({
  id: Id,
  user_agent: Nullable(Type.String()),
  current: Type.Boolean({ description: 'Whether this request came through it' }),
  created_at: Timestamp,
  last_used_at: Timestamp,
  idle_expires_at: Timestamp,
  expires_at: Timestamp
}, { $id: 'BrowserSession' })
export type BrowserSession = Static<typeof BrowserSession>

export const BrowserSessionPage = page(BrowserSession, 'BrowserSessionPage')
export const ListBrowserSessions = Type.Object(PageQuery)
export const BrowserSessionParams = Type.Object({ session_id: Id })
