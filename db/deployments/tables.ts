import type { Generated } from 'kysely'
import type { Actor } from '../audit.js'
import type { AppSource, AppTarget, AutoDeploy } from '../../schemas/deployments/apps.js'
import type { AppBuilder, StoredRun } from '../../schemas/deployments/builders.js'
import type { BuildStatus, BuildStep, ExpectedTarget, TargetState } from '../../schemas/deployments/builds.js'
import type { Json, NullableJson, NullableTime, Time } from '../types.js'

/** The last push that built nothing, and why. */
export interface StoredRefusedPush { commit: string, code: string, detail: string, at: string }

export type Trigger = 'manual' | 'push' | 'rollback'

export interface DeploymentAppTable {
  workspace_id: string
  id: string
  name: string
  source: Json<AppSource>
  target: Json<AppTarget>
  cloud_account_id: string
  /** The template of a build's image. */
  image: string | null
  /** How the image comes to be; null = none is built. */
  builder: NullableJson<AppBuilder>
  auto_deploy: Json<AutoDeploy>
  /** The person of auto_deploy_principal. */
  auto_deploy_by: string
  /** Who decided last what a push deploys: pushes are built with these rights. null = set up before they were kept. */
  auto_deploy_principal: NullableJson<Actor>
  refused_push: NullableJson<StoredRefusedPush>
  next_number: Generated<number>
  revision: Generated<number>
  created_by: string
  created_at: Time
  updated_at: Time
  /** It can be brought back for 30 days. */
  deleted_at: NullableTime
}

export interface DeploymentBuildTable {
  workspace_id: string
  id: string
  app_id: string
  number: number
  status: BuildStatus
  status_reason: string | null
  trigger: Trigger
  ref: string
  commit: string | null
  commit_message: string | null
  /** The image that the caller named; null = by the template. */
  requested_image: string | null
  image: string | null
  image_digest: string | null
  /** The app's target, template, builder and repository as they were when the build was asked for. */
  target: Json<AppTarget>
  template: string | null
  /** null = no image is built: also where the caller named one. */
  builder: NullableJson<AppBuilder>
  /** What builds the image outside, once it was asked for. */
  run: NullableJson<StoredRun>
  repo: string
  actor: string
  principal: Json<Actor>
  cancel_principal: NullableJson<Actor>
  deployment_id: string | null
  /** Counts the deploy calls that were answered with "not now": each needs a key of its own. */
  deploy_attempt: Generated<number>
  rollback_of: string | null
  superseded_by: string | null
  /** On which state of its target the build was approved; null = on none in particular. */
  expected: NullableJson<ExpectedTarget>
  /** What the target ran once the build was verified. */
  verified: NullableJson<TargetState>
  steps: Json<BuildStep[]>
  /** Position of the last event of the build's record. */
  log_seq: Generated<number>
  log_lines: Generated<number>
  log_bytes: Generated<number>
  log_truncated: Generated<boolean>
  /** Leases that lapsed one after the other. */
  attempts: Generated<number>
  /** null while active = released at a shutdown: any instance may go on. */
  lease_owner: string | null
  lease_epoch: Generated<number>
  lease_until: NullableTime
  created_at: Time
  started_at: NullableTime
  finished_at: NullableTime
}

declare module '../types.js' {
  interface Database {
    deployment_app: DeploymentAppTable
    deployment_build: DeploymentBuildTable
  }
}
