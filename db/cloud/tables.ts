import type { Generated } from 'kysely'
import type { AccountStatus, Capabilities, StoredAuth, SessionMarks, Partition } from '../../schemas/cloud/accounts.js'
import type { CostSlice } from '../../schemas/cloud/costs.js'
import type { Json, NullableJson, Time } from '../types.js'

export interface CloudAccountTable {
  workspace_id: string
  id: string
  name: string
  provider: 'aws'
  aws_account_id: string | null
  partition: Partition
  regions: Json<string[]>
  default_region: string
  auth: Json<StoredAuth>
  /** The key pair, encrypted for `cloud_account|<id>|secret`. */
  secret: Buffer | null
  status: AccountStatus
  capabilities: Json<Partial<Capabilities>>
  last_test: NullableJson<{ at: string, status: string }>
  credential_version: Generated<number>
  sandbox: boolean
  /** What it is for, such as production. */
  environment: Generated<string | null>
  /** Nothing is changed through it. */
  read_only: Generated<boolean>
  /** What its role's trust policy lets Steward write on sessions; null before the first try. */
  session_marks: NullableJson<SessionMarks>
  revision: Generated<number>
  created_by: string | null
  created_at: Time
  updated_at: Time
}

export interface CloudCostTable {
  workspace_id: string
  account_id: string
  key: string
  slice: Json<CostSlice>
  fetched_at: Time
  expires_at: Time
}

export interface CloudCostBudgetTable { workspace_id: string, account_id: string, day: string, requests: number }

declare module '../types.js' {
  interface Database {
    cloud_account: CloudAccountTable
    cloud_cost: CloudCostTable
    cloud_cost_budget: CloudCostBudgetTable
  }
}
