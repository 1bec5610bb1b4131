import type { Generated } from 'kysely'
import type { NullableTime, Role, Time } from '../types.js'

export type GrantState = 'active' | 'needs_reauth' | 'disconnected'

/** What an authorization keeps between its two halves. */
export interface CodehostAuthorizationTable {
  workspace_id: string
  state_hash: Buffer
  /** Of the value that the browser's cookie holds. */
  binding_hash: Buffer
  mode: 'login' | 'link'
  /** For linking: who asked, and in which browser session. */
  user_id: string | null
  session_id: string | null
  /** Encrypted for `codehost_authorization|<hash of the state>|verifier`; null where PKCE is off. */
  verifier: Buffer | null
  /** A whole URL of ours. */
  return_to: string
  expires_at: Time
  created_at: Time
}

/** The number under which a rule of signing in first met an organisation: its name can be given to others. */
export interface CodehostOrganisationTable {
  workspace_id: string
  host: string
  /** In lower case: the code host's names have none. */
  login: string
  organisation_id: string
  pinned_at: Generated<Date>
}

/** Who a user is at the code host, and what the code host lets us do as them. */
export interface CodehostIdentityTable {
  workspace_id: string
  id: string
  user_id: string
  /** The web address of the code host; `sandbox` for the stand-in, whose port changes. */
  host: string
  /** The code host's numeric id of the person: a login can be given to somebody else. */
  account_id: string
  login: string
  state: GrantState
  /** How the person came: linked while signed in, or joined by signing in, as invited or as a rule allows. */
  joined_by: 'link' | 'invitation' | 'rule'
  /** What the rules gave at the last sign-in of somebody who joined by them. */
  rule_role: Role | null
  /** Encrypted for `codehost_identity|<id>|access_token`, and `…|refresh_token`. */
  access_token: Buffer | null
  refresh_token: Buffer | null
  scope: Generated<string>
  expires_at: NullableTime
  /** When the token has lived 80 % of its life; null = it does not expire. */
  refresh_at: NullableTime
  /** Counts the tokens: who read an older one has nothing to say about this one. */
  generation: Generated<number>
  /** Who refreshes, or failed to a moment ago: nobody else tries until then. */
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
