import type {
  CreateServiceRequest, CreateServiceResponse, DeleteServiceRequest, DeleteServiceResponse
} from '@aws-sdk/client-ecs'
import { AwsError, invalid } from '../core/errors.js'
import { operation, type Call } from '../core/operation.js'
import type { Wire } from '../core/wire.js'
import {
  ecsArn, findTaskDefinition, requireCluster, requireService, serviceArn, type ServiceContext
} from './lookup.js'
import { deploy } from './rollout.js'
import { wake } from './scheduler.js'
import type { ClusterState, ServiceState } from './state.js'
import { isAlive, stop } from './tasks.js'
import { viewService } from './views.js'

export const createOperations = {
  CreateService: operation('ecs:CreateService', createService,
    ({ region, input }) => serviceArn(region, input.cluster, input.serviceName)),
  DeleteService: operation('ecs:DeleteService', deleteService,
    ({ region, input }) => serviceArn(region, input.cluster, input.service))
}

export type ServiceInput = Omit<CreateServiceRequest, 'cluster' | 'taskDefinition'>

/** A service that has nothing running and no deployment yet. */
export function newService (
  context: Omit<ServiceContext, 'service'>, input: ServiceInput, createdBy: string
): ServiceState {
  const name = input.serviceName ?? ''
  const daemon = input.schedulingStrategy === 'DAEMON'
  const launchType = input.launchType ?? 'FARGATE'
  return {
    name,
    arn: ecsArn(context.region, `service/${context.cluster.name}/${name}`),
    clusterArn: context.cluster.arn,
    status: 'ACTIVE',
    createdAt: context.world.clock.now(),
    createdBy,
    desiredCount: daemon ? context.cluster.containerInstances : input.desiredCount ?? 1,
    launchType,
    platformVersion: launchType === 'FARGATE' ? input.platformVersion ?? 'LATEST' : undefined,
    scheduling: input.schedulingStrategy ?? 'REPLICA',
    controller: input.deploymentController?.type ?? 'ECS',
    configuration: configuration(input),
    network: input.networkConfiguration,
    loadBalancers: input.loadBalancers ?? [],
    healthCheckGraceSeconds: input.healthCheckGracePeriodSeconds,
    executeCommand: input.enableExecuteCommand ?? false,
    tags: input.tags ?? [],
    deployments: [],
    events: [],
    serviceDeployments: [],
    revisions: [],
    lastCompleted: undefined,
    tasks: [],
    past: [],
    steady: false,
    wakeAt: undefined
  }
}

function configuration (input: ServiceInput): ServiceState['configuration'] {
  return {
    strategy: 'ROLLING',
    maximumPercent: 200,
    minimumHealthyPercent: 100,
    deploymentCircuitBreaker: { enable: false, rollback: false },
    ...input.deploymentConfiguration
  }
}

function createService (call: Call<CreateServiceRequest>): Wire<CreateServiceResponse> {
  const { world, account, region, input } = call
  const cluster = requireCluster(region, input.cluster)
  const definition = input.taskDefinition ? findTaskDefinition(region, input.taskDefinition) : undefined
  requireValid(cluster, input)
  if (!definition) throw new AwsError('ClientException', 'TaskDefinition not found.')
  const service = newService({ world, account, region, cluster }, input, call.caller.arn)
  cluster.services.set(service.name, service)
  const context = { world, account, region, cluster, service }
  deploy(context, definition.arn)
  wake(context)
  return { service: viewService(service, ['TAGS']) }
}

function requireValid (cluster: ClusterState, input: CreateServiceRequest): void {
  if (!/^[\w-]{1,255}$/.test(input.serviceName ?? '')) throw invalid('Invalid service name.')
  const existing = cluster.services.get(input.serviceName ?? '')
  if (existing && existing.status !== 'INACTIVE') throw invalid('Creation of service was not idempotent.')
}

function deleteService ({ world, account, region, input }: Call<DeleteServiceRequest>): Wire<DeleteServiceResponse> {
  const cluster = requireCluster(region, input.cluster)
  const service = requireService(cluster, input.service)
  if (service.desiredCount > 0 && !input.force && service.scheduling === 'REPLICA') {
    throw invalid('The service cannot be stopped while it is scaled above 0.')
  }
  service.desiredCount = 0
  service.status = 'DRAINING'
  const context = { world, account, region, cluster, service }
  for (const task of service.tasks.filter(isAlive)) stop(context, task, 'Service was deleted')
  wake(context)
  world.clock.at(world.clock.now() + 2000, () => { service.status = 'INACTIVE' })
  return { service: viewService(service) }
}
