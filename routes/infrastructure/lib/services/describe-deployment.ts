import type { DeploymentRow } from '../../../../db/infrastructure/service-deployments.js'
import type { ServiceDeployment } from '../../../../schemas/infrastructure/service-deployments.js'
import { makeId } from '../identity.js'

/** @returns the row as the API returns it */
export const describeDeploymentRow = (row: DeploymentRow): ServiceDeployment => ({
  id: row.id,
  service_id: makeId(row.account_id, row.region, row.cluster, row.service),
  kind: row.kind,
  status: row.status,
  status_reason: row.status_reason,
  expected: row.expected,
  previous_task_definition: row.previous_task_definition,
  target_task_definition: row.target_task_definition,
  changes: row.changes,
  aws_deployment_id: row.aws_deployment_id,
  aws_service_deployment_arn: row.aws_service_deployment_arn,
  progress: row.progress,
  failures: row.failures,
  actor: row.actor,
  comment: row.comment,
  cancel_requested_at: row.cancel_requested_at,
  cancelled_by: row.cancel_actor,
  created_at: row.created_at,
  started_at: row.started_at,
  finished_at: row.finished_at,
  deadline_at: row.deadline_at,
  dry_run: false
})
