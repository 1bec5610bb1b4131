import type { Generated } from 'kysely'
import type { NullableTime, Role, Time } from '../types.js'

export type GrantState = 'active' | 'needs_reauth' | 'disconnected'

/** The state of an authorization between the redirect and the callback. */
export interface CodehostAuthorizationTable {
  workspace_id: string
  state_hash: Buffer
  /** Hash of the value in the browser's cookie. */
  binding_hash: Buffer
  mode: 'login' | 'link'
  /** For linking: the user and the browser session that began it. */
  user_id: string | null
  session_id: string | null
  /** Encrypted for `codehost_authorization|<hash of the state>|verifier`; null where PKCE is off. */
  verifier: Buffer | null
  /** A whole URL of ours. */
  return_to: string
  expires_at: Time
  created_at: Time
}

/** The id under which a sign-in rule first saw an organisation: its name can pass to another one. */
export interface CodehostOrganisationTable {
  workspace_id: string
  host: string
  /** In lower case: the code host compares names without case. */
  login: string
  organisation_id: string
  pinned_at: Generated<Date>
}

/** Who a user is at the code host, and what the code host lets us do as them. */
export interface CodehostIdentityTable {
  workspace_id: string
  id: string
  user_id: string
  /** The web address of the code host; `sandbox` for the sandbox, whose port changes. */
  host: string
  /** The code host's numeric id of the person: a login can pass to another person. */
  account_id: string
  login: string
  state: GrantState
  /** How the account was connected: linked while signed in, or by signing in, as invited or as a rule allows. */
  joined_by: 'link' | 'invitation' | 'rule'
  /** The role that the rules gave at the last sign-in; null for a person who did not join by a rule. */
  rule_role: Role | null
  /** Encrypted for `codehost_identity|<id>|access_token`, and `…|refresh_token`. */
  access_token: Buffer | null
  refresh_token: Buffer | null
  scope: Generated<string>
  expires_at: NullableTime
  /** When the token has lived 80 % of its life; null = it does not expire. */
  refresh_at: NullableTime
  /** Goes up with every new token: a write that names an older generation changes nothing. */
  generation: Generated<number>
  /** While a refresh runs, or has just failed: no other process tries until then. */
  lease_until: NullableTime
  connected_at: NullableTime
  created_at: Time
  updated_at: Time
}

declare module '../types.js' {
  interface Database {
    codehost_authorization: CodehostAuthorizationTable
    codehost_identity: CodehostIdentityTable
    codehost_organisation: CodehostOrganisationTable
  }
}
