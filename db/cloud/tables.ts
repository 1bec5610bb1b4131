import type { Generated } from 'kysely'
import type { AccountStatus, Capabilities, StoredAuth } from '../../schemas/cloud/accounts.js'
import type { CostSlice } from '../../schemas/cloud/costs.js'
import type { Partition } from '../../schemas/cloud/regions.js'
import type {
  Change, DeploymentKind, DeploymentPlan, DeploymentStatus, Progress
} from '../../schemas/infrastructure/service-deployments.js'
import type { TaskFailure } from '../../schemas/infrastructure/services.js'
import type { Json, NullableJson, NullableTime, Time } from '../types.js'

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
  /** The key pair, sealed for `cloud_account|<id>|secret`. */
  secret: Buffer | null
  status: AccountStatus
  capabilities: Json<Partial<Capabilities>>
  last_test: NullableJson<{ at: string, status: string }>
  credential_version: Generated<number>
  sandbox: boolean
  revision: Generated<number>
  created_by: string | null
  created_at: Time
  updated_at: Time
}

export interface ServiceDeploymentTable {
  workspace_id: string
  id: string
  account_id: string
  region: string
  cluster: string
  service: string
  kind: DeploymentKind
  status: DeploymentStatus
  status_reason: string | null
  previous_task_definition: string
  target_task_definition: string | null
  /** What is to be sent to AWS: the whole task definition to register, or the one to use. */
  plan: Json<DeploymentPlan>
  changes: Json<Change[]>
  aws_deployment_id: string | null
  aws_service_deployment_arn: string | null
  progress: NullableJson<Progress>
  failures: Json<TaskFailure[]>
  /** What the last look at AWS said; an end counts when two looks in a row agree. */
  verdict: DeploymentStatus | null
  looks: Generated<number>
  actor: string
  user_id: string | null
  comment: string | null
  lease_epoch: Generated<number>
  lease_until: NullableTime
  looked_at: Time
  created_at: Time
  started_at: NullableTime
  finished_at: NullableTime
  deadline_at: Time
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
