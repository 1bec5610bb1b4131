import type { Deployment, Service, ServiceDeployment } from '@aws-sdk/client-ecs'
import type { DeploymentRow } from '../../../db/infrastructure/service-deployments.js'
import type { DeploymentStatus } from '../../../schemas/infrastructure/service-deployments.js'

export interface Verdict { status: DeploymentStatus, reason: string | null }

type Watched = Pick<DeploymentRow,
  'aws_deployment_id' | 'previous_task_definition' | 'target_task_definition' | 'cancel_requested_at'>

const verdict = (status: DeploymentStatus, reason: string | null | undefined): Verdict =>
  ({ status, reason: reason ?? null })

/** AWS's record of the deployment says more than the service, where the account may read it. */
const fromRecord = (record: ServiceDeployment): Verdict | undefined => {
  const reason = record.rollback?.reason ?? record.statusReason
  switch (record.status) {
    case 'ROLLBACK_REQUESTED':
    case 'ROLLBACK_IN_PROGRESS': return verdict('rolling_back', reason)
    case 'ROLLBACK_SUCCESSFUL': return verdict('rolled_back', reason)
    case 'ROLLBACK_FAILED': return verdict('rollback_failed', reason)
    default: return undefined
  }
}

const stopped = (record: ServiceDeployment | undefined): boolean =>
  record?.status === 'STOPPED' || record?.status === 'STOP_REQUESTED'

/** A circuit breaker that trips stops the record too; its status is then TRIGGERED. */
const stoppedByHand = (record: ServiceDeployment | undefined): boolean =>
  stopped(record) && record?.deploymentCircuitBreaker?.status !== 'TRIGGERED'

const ofPrimary = (service: Service, ours: Deployment, record: ServiceDeployment | undefined): Verdict => {
  const { desiredCount: desired = 0, runningCount: running = 0 } = service
  if (stoppedByHand(record)) return verdict('stopped', record?.statusReason)
  if (ours.rolloutState === 'FAILED') return verdict('failed', ours.rolloutStateReason)
  if (ours.rolloutState === 'COMPLETED') {
    return running === desired ? verdict('succeeded', null) : verdict('in_progress', 'Waiting for the last tasks')
  }
  // Classic load balancers and external controllers report no rollout state.
  const settled = ours.rolloutState === undefined && service.deployments?.length === 1 && running === desired
  return settled ? verdict('succeeded', null) : verdict('in_progress', ours.rolloutStateReason)
}

const ofLoser = (row: Watched, service: Service, ours: Deployment | undefined, record?: ServiceDeployment): Verdict => {
  const primary = service.deployments?.find(({ status }) => status === 'PRIMARY')
  const back = primary?.taskDefinition === row.previous_task_definition &&
    row.previous_task_definition !== row.target_task_definition
  const failed = ours?.rolloutState === 'FAILED' || /roll(ing|ed)? ?back/i.test(primary?.rolloutStateReason ?? '')
  // Cancelled where ECS could not stop it: we have deployed the previous revision.
  if (back && (failed || !record || row.cancel_requested_at !== null)) {
    const done = primary?.rolloutState === 'COMPLETED'
    return verdict(done ? 'rolled_back' : 'rolling_back', ours?.rolloutStateReason ?? primary?.rolloutStateReason)
  }
  if (stopped(record) && !/superseded/i.test(record?.statusReason ?? '')) return verdict('stopped', record?.statusReason)
  return verdict('superseded', `Another deployment (${primary?.id}) took over with ${primary?.taskDefinition}`)
}

/**
 * What became of our deployment. Decided by the id that UpdateService gave, not by whether the service is stable: a
 * service that rolled back is stable too.
 */
export const judgeRollout = (row: Watched, service: Service, record?: ServiceDeployment): Verdict => {
  if (service.status !== 'ACTIVE') return verdict('failed', `The service is ${service.status}`)
  const known = record && fromRecord(record)
  if (known) return known
  const ours = service.deployments?.find(({ id }) => id === row.aws_deployment_id)
  if (ours?.status === 'PRIMARY') return ofPrimary(service, ours, record)
  return ofLoser(row, service, ours, record)
}
