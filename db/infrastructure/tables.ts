import type { Generated } from 'kysely'
import type {
  CancelFacts, Change, DeploymentKind, DeploymentPlan, DeploymentStatus, Progress, ServiceState
} from '../../schemas/infrastructure/service-deployments.js'
import type { Actor } from '../../schemas/cloud/accounts.js'
import type { TaskFailure } from '../../schemas/infrastructure/services.js'
import type { Json, NullableJson, NullableTime, Time } from '../types.js'

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
  /** What the service ran when this was asked for; null for what an earlier release has stored. */
  expected: NullableJson<ServiceState>
  previous_task_definition: string
  target_task_definition: string | null
  /** What is to be sent to AWS: the whole task definition to register, or the one to use. */
  plan: Json<DeploymentPlan>
  changes: Json<Change[]>
  aws_deployment_id: string | null
  aws_service_deployment_arn: string | null
  progress: NullableJson<Progress>
  failures: Json<TaskFailure[]>
  /** What the last poll of AWS found; an end counts when two polls in a row agree. */
  verdict: DeploymentStatus | null
  looks: Generated<number>
  actor: string
  user_id: string | null
  /** In whose name AWS is asked; null for what an earlier release has stored. */
  acting_for: NullableJson<Actor>
  comment: string | null
  /** When its cancel was requested; null again when AWS refused that. */
  cancel_requested_at: NullableTime
  cancel_actor: string | null
  /** In whose name AWS is asked to stop it. */
  cancel_for: NullableJson<Actor>
  /** What was shown when the cancel was approved; whoever sends it compares. */
  cancel_expected: NullableJson<Partial<CancelFacts>>
  lease_epoch: Generated<number>
  lease_until: NullableTime
  looked_at: Time
  created_at: Time
  started_at: NullableTime
  finished_at: NullableTime
  deadline_at: Time
}

declare module '../types.js' {
  interface Database {
    service_deployment: ServiceDeploymentTable
  }
}
