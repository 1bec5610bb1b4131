import type { Generated } from 'kysely'
import type { BindingScope, BoundRole } from '../../schemas/account/bindings.js'
import type { Scope } from '../../schemas/account/scopes.js'
import type { Resource } from '../../schemas/account/assistants.js'
import type { Json, NullableJson, NullableTime, Role, Time } from '../types.js'

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
  /** Of the session, or token, that it was made by. */
  let_in_by: Generated<string | null>
  /** Of a connected assistant: the only place where it is taken. */
  resource: Resource | null
  /** Of a connected assistant: when its secret ends; `expires_at` is when nothing can renew it any more. */
  access_until: NullableTime
  expires_at: Time
  revoked_at: NullableTime
  last_used_at: NullableTime
  created_at: Time
}

/** Beside the token with the same id. */
export interface AccountAssistantTable {
  workspace_id: string
  id: string
  client_id: string
  /** Of the document that names the client; null = it registered itself. */
  client_host: string | null
  /** Where the code went; null = the person entered a code. */
  redirect_host: string | null
  /** As the client named it. */
  resource: string
  /** All that was consented to; the token may hold less. */
  scopes: Json<Scope[]>
  until: Time
}

export interface AccountOauthStateTable {
  workspace_id: string
  /** Of the library. */
  model: string
  hash: Buffer
  payload: NullableJson<Record<string, unknown>>
  /** Encrypted, instead of the payload. */
  encrypted: Buffer | null
  grant_id: string | null
  user_code: Buffer | null
  consumed_at: NullableTime
  expires_at: Time
  created_at: Time
}

export interface AccountOauthClientTable {
  workspace_id: string
  id: string
  /** Encrypted: it may hold a secret. */
  metadata: Buffer
  address: string
  used_at: NullableTime
  created_at: Time
}

export interface AccountSessionTable {
  workspace_id: string
  id: string
  user_id: string
  hash: Buffer
  user_agent: string | null
  /** The colleague by whose link it began: what is approved in it does not count beside them. */
  let_in_by: string | null
  idle_expires_at: Time
  expires_at: Time
  ended_at: NullableTime
  /** When whoever vouched for it is asked again; null = nobody is. */
  check_at: NullableTime
  last_used_at: Time
  created_at: Time
}

export interface AccountLinkTable {
  workspace_id: string
  id: string
  user_id: string
  purpose: 'bootstrap' | 'invitation'
  hash: Buffer
  /** The colleague who made it; null = the installation did. */
  issued_by: string | null
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

export interface AccountProjectInstructionsTable {
  workspace_id: string
  project_id: string
  text: string
  revision: Generated<number>
  updated_by: string
  updated_at: Time
}

/** People to whom roles are bound together, and whom policies name. */
export interface AccountGroupTable {
  workspace_id: string
  id: string
  name: string
  revision: Generated<number>
  created_at: Time
  updated_at: Time
}

export interface AccountGroupMemberTable {
  workspace_id: string
  group_id: string
  user_id: string
  created_at: Time
}

/** A role of a person or of a group on a part of the workspace. */
export interface AccountBindingTable {
  workspace_id: string
  id: string
  role: BoundRole
  user_id: string | null
  group_id: string | null
  scope: BindingScope['kind']
  /** The id of the project or cloud account, or the name of the environment; empty for the workspace. */
  scope_of: string
  created_by: string
  created_at: Time
}

declare module '../types.js' {
  interface Database {
    account_user: AccountUserTable
    account_token: AccountTokenTable
    account_session: AccountSessionTable
    account_link: AccountLinkTable
    account_project: AccountProjectTable
    account_project_instructions: AccountProjectInstructionsTable
    account_group: AccountGroupTable
    account_group_member: AccountGroupMemberTable
    account_binding: AccountBindingTable
    account_assistant: AccountAssistantTable
    account_oauth_state: AccountOauthStateTable
    account_oauth_client: AccountOauthClientTable
  }
}
