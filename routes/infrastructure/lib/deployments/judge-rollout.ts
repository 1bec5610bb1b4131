import type { Deployment, Service, ServiceDeployment } from '@aws-sdk/client-ecs'
import type { DeploymentRow } from '../../../../db/infrastructure/service-deployments.js'
import type { DeploymentStatus } from '../../../../schemas/infrastructure/service-deployments.js'

export interface Verdict {
  status: DeploymentStatus
  reason: string | null
  /** AWS says so of this very deployment, which changes no more. */
  isFinal?: true
}

type Watched = Pick<DeploymentRow, 'status' | 'status_reason' | 'expected' |
  'aws_deployment_id' | 'previous_task_definition' | 'target_task_definition' | 'cancel_requested_at'>

const verdict = (status: DeploymentStatus, reason: string | null | undefined): Verdict =>
  ({ status, reason: reason ?? null })

const succeeded: Verdict = { status: 'succeeded', reason: null, isFinal: true }

/** AWS's record of the deployment says more than the service, where the account may read it. */
const fromRecord = (record: ServiceDeployment): Verdict | undefined => {
  const reason = record.rollback?.reason ?? record.statusReason
  switch (record.status) {
    case 'SUCCESSFUL': return succeeded
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
  // Tasks that autoscaling adds afterwards belong to a rollout that has ended.
  if (ours.rolloutState === 'COMPLETED') return succeeded
  // Classic load balancers and external controllers report no rollout state.
  const settled = ours.rolloutState === undefined && service.deployments?.length === 1 && running === desired
  return settled ? verdict('succeeded', null) : verdict('in_progress', ours.rolloutStateReason)
}

const rollsBack = /roll(?:ing|ed)? ?back(?: to deploymentId (ecs-svc\/\d+))?/i

/**
 * Our own failure is what AWS says of our id. Where it lists that no more, the deployment that took over is our rollback
 * if AWS says that it goes back to what ran before ours; by its revision alone only where ours was another one.
 */
const isRollback = (row: Watched, primary: Deployment, ours: Deployment | undefined, isKnown: boolean): boolean => {
  if (primary.taskDefinition !== row.previous_task_definition) return false
  const [says, to] = rollsBack.exec(primary.rolloutStateReason ?? '') ?? []
  if (ours?.rolloutState === 'FAILED' || row.status === 'rolling_back') return true
  if (says && (to === undefined || !row.expected || to === row.expected.deployment_id)) return true
  // Cancelled where ECS could not stop it: we have deployed the previous revision.
  return row.previous_task_definition !== row.target_task_definition && (!isKnown || row.cancel_requested_at !== null)
}

const ofLoser = (row: Watched, service: Service, ours: Deployment | undefined, record?: ServiceDeployment): Verdict => {
  // It was completed before another one took over.
  if (ours?.rolloutState === 'COMPLETED') return succeeded
  const primary = service.deployments?.find(({ status }) => status === 'PRIMARY')
  if (primary && isRollback(row, primary, ours, record !== undefined)) {
    if (primary.rolloutState !== 'COMPLETED') {
      return verdict('rolling_back', ours?.rolloutStateReason ?? primary.rolloutStateReason)
    }
    // Of a rollback that has ended, ECS says that it completed, and no longer why it began.
    const says = rollsBack.test(primary.rolloutStateReason ?? '') ? primary.rolloutStateReason : null
    const seen = row.status === 'rolling_back' ? row.status_reason : says
    return verdict('rolled_back', ours?.rolloutStateReason ?? seen ?? `ECS went back to ${primary.taskDefinition}`)
  }
  if (ours?.rolloutState === 'FAILED') return verdict('failed', ours.rolloutStateReason)
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
