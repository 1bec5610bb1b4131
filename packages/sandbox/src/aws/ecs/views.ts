import type { Cluster, Deployment, Service, ServiceDeployment, ServiceField } from '@aws-sdk/client-ecs'
import { seconds, type Wire } from '../core/wire.js'
import type { ClusterState, DeploymentState, ServiceDeploymentState, ServiceState, TaskState } from './state.js'
import { isAlive } from './tasks.js'

/** A cluster as in DescribeClusters; members that were not requested are empty, as with AWS. */
export function viewCluster (cluster: ClusterState, include: string[]): Wire<Cluster> {
  const services = [...cluster.services.values()].filter((one) => one.status === 'ACTIVE')
  const tasks = services.flatMap((one) => one.tasks)
  return {
    clusterArn: cluster.arn,
    clusterName: cluster.name,
    status: cluster.status,
    registeredContainerInstancesCount: cluster.containerInstances,
    runningTasksCount: countRunning(tasks),
    pendingTasksCount: countPending(tasks),
    activeServicesCount: services.length,
    statistics: include.includes('STATISTICS') ? cluster.statistics : [],
    tags: include.includes('TAGS') ? cluster.tags : [],
    settings: include.includes('SETTINGS') ? cluster.settings : [],
    capacityProviders: cluster.capacityProviders,
    defaultCapacityProviderStrategy: []
  }
}

/** A service as in DescribeServices and UpdateService. */
export function viewService (service: ServiceState, include: ServiceField[] = []): Wire<Service> {
  const primary = service.deployments.find((one) => one.primary)
  return {
    serviceArn: service.arn,
    serviceName: service.name,
    clusterArn: service.clusterArn,
    status: service.status,
    desiredCount: service.desiredCount,
    runningCount: countRunning(service.tasks),
    pendingCount: countPending(service.tasks),
    launchType: service.launchType,
    ...(service.platformVersion ? { platformVersion: service.platformVersion, platformFamily: 'Linux' } : {}),
    schedulingStrategy: service.scheduling,
    taskDefinition: primary?.taskDefinition,
    deploymentController: { type: service.controller },
    deploymentConfiguration: service.configuration,
    deployments: service.deployments.map((one) => viewDeployment(service, one)),
    events: service.events,
    ...(service.controller === 'ECS' ? current(service) : {}),
    loadBalancers: service.loadBalancers,
    serviceRegistries: [],
    networkConfiguration: service.network,
    healthCheckGracePeriodSeconds: service.healthCheckGraceSeconds,
    placementConstraints: [],
    placementStrategy: [],
    enableECSManagedTags: true,
    enableExecuteCommand: service.executeCommand,
    propagateTags: 'NONE',
    createdAt: seconds(service.createdAt),
    createdBy: service.createdBy,
    ...(include.includes('TAGS') ? { tags: service.tags } : {})
  }
}

/** A service deployment as in DescribeServiceDeployments. */
export function viewServiceDeployment (service: ServiceState, record: ServiceDeploymentState): Wire<ServiceDeployment> {
  return {
    serviceDeploymentArn: record.arn,
    serviceArn: service.arn,
    clusterArn: service.clusterArn,
    createdAt: seconds(record.createdAt),
    startedAt: maybeSeconds(record.startedAt),
    finishedAt: maybeSeconds(record.finishedAt),
    stoppedAt: maybeSeconds(record.stoppedAt),
    updatedAt: seconds(record.updatedAt),
    status: record.status,
    statusReason: record.reason,
    targetServiceRevision: revisionSummary(service, record.targetRevisionArn),
    sourceServiceRevisions: record.sourceRevisionArns.map((arn) => revisionSummary(service, arn)),
    deploymentConfiguration: service.configuration,
    deploymentCircuitBreaker: record.breaker,
    ...(record.rollback ? { rollback: viewRollback(record.rollback) } : {})
  }
}

/** A time that may be absent, in seconds. */
export function maybeSeconds (milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : seconds(milliseconds)
}

function viewDeployment (service: ServiceState, deployment: DeploymentState): Wire<Deployment> {
  const tasks = service.tasks.filter((one) => one.deploymentId === deployment.id)
  return {
    id: deployment.id,
    status: deployment.primary ? 'PRIMARY' : 'ACTIVE',
    taskDefinition: deployment.taskDefinition,
    desiredCount: deployment.primary ? service.desiredCount : tasks.filter(isAlive).length,
    runningCount: countRunning(tasks),
    pendingCount: countPending(tasks),
    failedTasks: deployment.failedTasks,
    createdAt: seconds(deployment.createdAt),
    updatedAt: seconds(deployment.updatedAt),
    launchType: service.launchType,
    platformVersion: service.launchType === 'FARGATE' ? '1.4.0' : undefined,
    networkConfiguration: service.network,
    rolloutState: deployment.rolloutState,
    rolloutStateReason: deployment.rolloutReason
  }
}

function current (service: ServiceState): Pick<Wire<Service>, 'currentServiceDeployment' | 'currentServiceRevisions'> {
  const primary = service.deployments.find((one) => one.primary)
  if (!primary) return {}
  return {
    currentServiceDeployment: primary.serviceDeploymentArn,
    currentServiceRevisions: [revisionSummary(service, primary.revisionArn)]
  }
}

function revisionSummary (service: ServiceState, arn: string) {
  const ids = service.deployments.filter((one) => one.revisionArn === arn).map((one) => one.id)
  const tasks = service.tasks.filter((one) => ids.includes(one.deploymentId))
  return {
    arn,
    requestedTaskCount: service.deployments.some((one) => one.primary && one.revisionArn === arn)
      ? service.desiredCount
      : 0,
    runningTaskCount: countRunning(tasks),
    pendingTaskCount: countPending(tasks)
  }
}

function viewRollback (rollback: NonNullable<ServiceDeploymentState['rollback']>) {
  return {
    reason: rollback.reason,
    startedAt: seconds(rollback.startedAt),
    serviceRevisionArn: rollback.revisionArn
  }
}

function countRunning (tasks: TaskState[]): number {
  return tasks.filter((one) => one.wire.lastStatus === 'RUNNING').length
}

function countPending (tasks: TaskState[]): number {
  return tasks.filter((one) => ['PROVISIONING', 'PENDING', 'ACTIVATING'].includes(one.wire.lastStatus ?? '')).length
}
