import type { Generated } from 'kysely'
import type { Scope } from '../../schemas/account/scopes.js'
import type { Json, NullableTime, Role, Time } from '../types.js'

export interface AccountUserTable {
  workspace_id: string
  id: string
  name: string
  email: string | null
  role: Role
  status: 'active' | 'disabled'
  revision: Generated<number>
  first_sign_in_at: NullableTime
  created_at: Time
  updated_at: Time
}

export interface AccountTokenTable {
  workspace_id: string
  id: string
  user_id: string
  name: string
  hash: Buffer
  prefix: string
  scopes: Json<Scope[]>
  assistant: boolean
  expires_at: Time
  revoked_at: NullableTime
  last_used_at: NullableTime
  created_at: Time
}

export interface AccountSessionTable {
  workspace_id: string
  id: string
  user_id: string
  hash: Buffer
  user_agent: string | null
  idle_expires_at: Time
  expires_at: Time
  ended_at: NullableTime
  last_used_at: Time
  created_at: Time
}

export interface AccountLinkTable {
  workspace_id: string
  id: string
  user_id: string
  purpose: 'bootstrap' | 'invitation'
  hash: Buffer
  expires_at: Time
  used_at: NullableTime
  created_at: Time
}

export interface AccountProjectTable {
  workspace_id: string
  id: string
  name: string
  description: string | null
  revision: Generated<number>
  created_by: string
  created_at: Time
  updated_at: Time
  archived_at: NullableTime
}

declare module '../types.js' {
  interface Database {
    account_user: AccountUserTable
    account_token: AccountTokenTable
    account_session: AccountSessionTable
    account_link: AccountLinkTable
    account_project: AccountProjectTable
  }
}
