import type { Generated } from 'kysely'
import type { IdentityRule } from '../../schemas/account/identity-providers.js'
import type { Json, Role, Time } from '../types.js'

export interface AccountIdentityProviderTable {
  workspace_id: string
  id: string
  name: string
  issuer: string
  client_id: string
  /** Encrypted; null for a public client. */
  secret: Buffer | null
  scopes: Json<string[]>
  domains: Json<string[]>
  groups_claim: string | null
  rules: Json<IdentityRule[]>
  just_in_time: boolean
  joins_by_email: boolean
  role: Role
  check_minutes: number
  grace_minutes: number
  enabled: boolean
  revision: Generated<number>
  created_by: string
  created_at: Time
  updated_at: Time
}

/** Who a person is at a provider: issuer and subject, never the address. */
export interface AccountIdentityTable {
  workspace_id: string
  id: string
  provider_id: string
  user_id: string
  issuer: string
  subject: string
  email: string | null
  joined_by: 'rule' | 'email' | 'link'
  /** What the rules gave at the last sign-in or check. */
  rule_role: Role | null
  /** The role before the rules gave one, for who was a person here before. */
  own_role: Role | null
  /** Ids of the groups that the rules put the person into. */
  groups: Json<string[]>
  last_sign_in_at: Time
  created_at: Time
}

/** A sign-in under way. */
export interface AccountIdentityAttemptTable {
  workspace_id: string
  state_hash: Buffer
  binding_hash: Buffer
  provider_id: string
  /** For connecting: who began it, and in which browser session. */
  user_id: string | null
  session_id: string | null
  /** The nonce and the verifier, encrypted for `account_identity_attempt|<hash of the state>|kept`. */
  kept: Buffer
  return_to: string
  expires_at: Time
  created_at: Time
}

/** A browser session that a provider vouches for; `id` is that of the session. */
export interface AccountIdentitySessionTable {
  workspace_id: string
  id: string
  identity_id: string
  provider_id: string
  /** The provider's own session. */
  sid: string | null
  /** Encrypted: a JSON object of tokens. */
  tokens: Buffer | null
  /** When the provider said last that the person may come in. */
  answered_at: Time
  created_at: Time
}

/** Logout tokens that were taken: each ends sessions once. */
export interface AccountLogoutTokenTable {
  workspace_id: string
  provider_id: string
  jti: string
  expires_at: Date
}

declare module '../types.js' {
  interface Database {
    account_identity_provider: AccountIdentityProviderTable
    account_identity: AccountIdentityTable
    account_identity_attempt: AccountIdentityAttemptTable
    account_identity_session: AccountIdentitySessionTable
    account_logout_token: AccountLogoutTokenTable
  }
}
