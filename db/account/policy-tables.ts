import type { Generated } from 'kysely'
import type { PolicyExample, ReplayCounts } from '../../schemas/account/policies.js'
import type { Json, NullableJson, NullableTime, Time } from '../types.js'

/** What an admin writes before it is enabled. */
export interface AccountPolicyDraftTable {
  workspace_id: string
  text: string
  examples: Json<PolicyExample[]>
  /** Ids of the groups that the text names, as they were when it was saved: a group that is renamed stays meant. */
  groups: Json<Record<string, string>>
  digest: string
  revision: Generated<number>
  /** Which draft was replayed last. */
  replayed_digest: string | null
  replayed_at: NullableTime
  replay: NullableJson<ReplayCounts>
  updated_by: string
  updated_at: Time
}

/** A set that was enabled; the newest holds. */
export interface AccountPolicyVersionTable {
  workspace_id: string
  version: number
  text: string
  examples: Json<PolicyExample[]>
  groups: Json<Record<string, string>>
  digest: string
  replay: Json<ReplayCounts>
  enabled_by: string
  enabled_at: Time
}

declare module '../types.js' {
  interface Database {
    account_policy_draft: AccountPolicyDraftTable
    account_policy_version: AccountPolicyVersionTable
  }
}
