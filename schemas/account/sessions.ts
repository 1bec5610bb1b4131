import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, PageQuery, Timestamp, page } from '../common.js'
import { User } from './users.js'

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
