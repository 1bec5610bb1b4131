import type { ServiceContext } from './lookup.js'
import { ecsArn, findTaskDefinition } from './lookup.js'
import { addEvent } from './events.js'
import { containersOf } from './containers.js'
import type { DeploymentState, ServiceDeploymentState, ServiceState, TaskState } from './state.js'
import { digestOf, isAlive, stop } from './tasks.js'

const BREAKER_FAILED = 'ECS deployment circuit breaker: tasks failed to start.'
const START_AFTER_MS = 300

/** The primary deployment of the service. */
export function primaryOf (service: ServiceState): DeploymentState {
  return service.deployments.find((one) => one.primary)!
}

/** The record of a deployment in ListServiceDeployments. */
export function recordOf (service: ServiceState, deployment: DeploymentState): ServiceDeploymentState | undefined {
  return service.serviceDeployments.find((one) => one.arn === deployment.serviceDeploymentArn)
}

/** Begins a deployment of a task definition, which supersedes a running one. */
export function deploy (context: ServiceContext, taskDefinition: string): DeploymentState {
  const { service, world } = context
  const now = world.clock.now()
  supersede(context, now)
  const revisionArn = addRevision(context, taskDefinition)
  const record = addRecord(context, revisionArn)
  const deployment = addDeployment(context, { taskDefinition, revisionArn, record, isRollback: false })
  deployment.retryAt = now + START_AFTER_MS
  world.clock.at(deployment.retryAt, () => {
    if (record.status !== 'PENDING') return
    record.status = 'IN_PROGRESS'
    record.startedAt = record.updatedAt = world.clock.now()
  })
  service.steady = false
  return deployment
}

/** Completes the deployment: the others end, and the next rollback returns to it. */
export function complete (context: ServiceContext, deployment: DeploymentState): void {
  const { service, world } = context
  const now = world.clock.now()
  service.deployments = [deployment]
  service.lastCompleted = {
    taskDefinition: deployment.taskDefinition,
    revisionArn: deployment.revisionArn,
    deploymentId: deployment.id
  }
  setRollout(deployment, 'COMPLETED', `ECS deployment ${deployment.id} completed.`, now)
  const record = recordOf(service, deployment)
  if (record) {
    finishRecord(record, deployment.isRollback ? 'ROLLBACK_SUCCESSFUL' : 'SUCCESSFUL', now)
    if (!deployment.isRollback) record.breaker.status = 'MONITORING_COMPLETE'
  }
  addEvent(context, `(deployment ${deployment.id}) deployment completed.`)
}

/** Counts a task that failed by itself, and trips the breaker at its threshold. */
export function recordFailure (context: ServiceContext, task: TaskState): void {
  const { service, world } = context
  const deployment = service.deployments.find((one) => one.id === task.deploymentId)
  if (!deployment) return
  service.steady = false
  deployment.failedTasks++
  deployment.attempts++
  deployment.updatedAt = world.clock.now()
  deployment.retryAt = world.clock.now() + pause(deployment.attempts)
  const record = recordOf(service, deployment)
  if (record) record.breaker.failureCount = deployment.failedTasks
  if (deployment.attempts % 5 === 0) addEvent(context, 'is unable to consistently start tasks successfully.')
  if (deployment.failedTasks >= threshold(service) && breakerWatches(service, deployment)) trip(context, deployment)
}

/** Rolls back to the last completed revision, in the same service deployment. */
export function rollBack (context: ServiceContext, failed: DeploymentState, cause: string): void {
  const { service, world } = context
  const target = service.lastCompleted
  const record = recordOf(service, failed)
  if (!target || !record) return
  const now = world.clock.now()
  const reason = `${cause}: rolling back to deploymentId ${target.deploymentId}.`
  failed.primary = false
  const deployment = addDeployment(context, { ...target, record, isRollback: true })
  setRollout(deployment, 'IN_PROGRESS', reason, now)
  record.status = 'ROLLBACK_IN_PROGRESS'
  record.updatedAt = now
  record.rollback = { reason, startedAt: now, revisionArn: target.revisionArn }
  addEvent(context, `rolling back to deployment ${deployment.id}.`)
}

/** Stops the tasks of a deployment. */
export function stopTasksOf (context: ServiceContext, deployment: DeploymentState): void {
  for (const task of context.service.tasks) {
    if (task.deploymentId !== deployment.id || !isAlive(task)) continue
    stop(context, task, `Scaling activity initiated by (deployment ${deployment.id})`)
  }
}

/** Ends the record of a service deployment. */
export function finishRecord (
  record: ServiceDeploymentState, status: ServiceDeploymentState['status'], now: number, reason?: string
): void {
  record.status = status
  record.startedAt ??= now
  record.finishedAt = record.updatedAt = now
  if (status === 'STOPPED') record.stoppedAt = now
  if (reason !== undefined) record.reason = reason
}

/** The breaker's threshold of failures. */
export function threshold (service: ServiceState): number {
  return Math.min(200, Math.max(3, Math.ceil(service.desiredCount / 2)))
}

/** Sets the state of a deployment, and its reason. */
export function setRollout (
  deployment: DeploymentState, state: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED', reason: string, now: number
): void {
  deployment.rolloutState = state
  deployment.rolloutReason = reason
  deployment.updatedAt = now
}

function trip (context: ServiceContext, deployment: DeploymentState): void {
  const { service, world } = context
  const now = world.clock.now()
  setRollout(deployment, 'FAILED', BREAKER_FAILED, now)
  stopTasksOf(context, deployment)
  addEvent(context, `(deployment ${deployment.id}) deployment failed: tasks failed to start.`)
  const record = recordOf(service, deployment)
  if (record) {
    record.breaker.status = 'TRIGGERED'
    record.reason = BREAKER_FAILED
  }
  const wanted = service.configuration.deploymentCircuitBreaker?.rollback === true
  if (wanted && !deployment.isRollback && service.lastCompleted) {
    rollBack(context, deployment, 'ECS deployment circuit breaker')
  } else if (record) {
    finishRecord(record, deployment.isRollback ? 'ROLLBACK_FAILED' : 'STOPPED', now)
  }
}

function breakerWatches (service: ServiceState, deployment: DeploymentState): boolean {
  return service.configuration.deploymentCircuitBreaker?.enable === true &&
    deployment.rolloutState === 'IN_PROGRESS' && deployment.primary
}

/** One second at first, then increasing, as ECS throttles a service that cannot start. */
function pause (attempts: number): number {
  return attempts < 8 ? 1000 : Math.min(60_000, 1000 * 2 ** (attempts - 7))
}

function supersede (context: ServiceContext, now: number): void {
  for (const deployment of context.service.deployments) {
    const record = recordOf(context.service, deployment)
    if (record && record.finishedAt === undefined) {
      finishRecord(record, 'STOPPED', now, 'The service deployment was superseded by a newer service deployment.')
    }
    deployment.primary = false
  }
}

function addRevision (context: ServiceContext, taskDefinition: string): string {
  const { cluster, region, service, world } = context
  const arn = ecsArn(region, `service-revision/${cluster.name}/${service.name}/${world.ids.digits(19)}`)
  const definition = findTaskDefinition(region, taskDefinition)
  const images = (definition ? containersOf(definition) : [])
    .map(({ name, image }) => ({ name, image, digest: digestOf(image) }))
  service.revisions.unshift({ arn, taskDefinition, images, createdAt: world.clock.now() })
  return arn
}

function addRecord (context: ServiceContext, targetRevisionArn: string): ServiceDeploymentState {
  const { cluster, region, service, world } = context
  const now = world.clock.now()
  const enabled = service.configuration.deploymentCircuitBreaker?.enable === true
  const record: ServiceDeploymentState = {
    arn: ecsArn(region, `service-deployment/${cluster.name}/${service.name}/${world.ids.mixed(21)}`),
    status: 'PENDING',
    reason: undefined,
    createdAt: now,
    startedAt: undefined,
    finishedAt: undefined,
    stoppedAt: undefined,
    updatedAt: now,
    targetRevisionArn,
    sourceRevisionArns: service.lastCompleted ? [service.lastCompleted.revisionArn] : [],
    rollback: undefined,
    breaker: { status: enabled ? 'MONITORING' : 'DISABLED', failureCount: 0, threshold: threshold(service) }
  }
  service.serviceDeployments.unshift(record)
  return record
}

interface NewDeployment {
  taskDefinition: string
  revisionArn: string
  record: ServiceDeploymentState
  isRollback: boolean
}

function addDeployment (context: ServiceContext, wanted: NewDeployment): DeploymentState {
  const { service, world } = context
  const now = world.clock.now()
  const id = `ecs-svc/${world.ids.digits(19)}`
  const deployment: DeploymentState = {
    id,
    primary: true,
    taskDefinition: wanted.taskDefinition,
    revisionArn: wanted.revisionArn,
    serviceDeploymentArn: wanted.record.arn,
    isRollback: wanted.isRollback,
    rolloutState: 'IN_PROGRESS',
    rolloutReason: `ECS deployment ${id} in progress.`,
    failedTasks: 0,
    attempts: 0,
    retryAt: 0,
    createdAt: now,
    updatedAt: now
  }
  service.deployments.unshift(deployment)
  return deployment
}
