import type {
  CreateServiceRequest, CreateServiceResponse, DeleteServiceRequest, DeleteServiceResponse
} from '@aws-sdk/client-ecs'
import { AwsError, invalid } from '../core/errors.js'
import { operation, type Call } from '../core/operation.js'
import type { Wire } from '../core/wire.js'
import { ecsArn, findTaskDefinition, needCluster, needService, serviceArn, type ServicePlace } from './lookup.js'
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

export type ServiceWish = Omit<CreateServiceRequest, 'cluster' | 'taskDefinition'>

/** A service that has nothing running and no deployment yet. */
export function newService (place: Omit<ServicePlace, 'service'>, wish: ServiceWish, createdBy: string): ServiceState {
  const name = wish.serviceName ?? ''
  const daemon = wish.schedulingStrategy === 'DAEMON'
  const launchType = wish.launchType ?? 'FARGATE'
  return {
    name,
    arn: ecsArn(place.region, `service/${place.cluster.name}/${name}`),
    clusterArn: place.cluster.arn,
    status: 'ACTIVE',
    createdAt: place.world.clock.now(),
    createdBy,
    desiredCount: daemon ? place.cluster.containerInstances : wish.desiredCount ?? 1,
    launchType,
    platformVersion: launchType === 'FARGATE' ? wish.platformVersion ?? 'LATEST' : undefined,
    scheduling: wish.schedulingStrategy ?? 'REPLICA',
    controller: wish.deploymentController?.type ?? 'ECS',
    configuration: configuration(wish),
    network: wish.networkConfiguration,
    loadBalancers: wish.loadBalancers ?? [],
    healthCheckGraceSeconds: wish.healthCheckGracePeriodSeconds,
    executeCommand: wish.enableExecuteCommand ?? false,
    tags: wish.tags ?? [],
    deployments: [],
    events: [],
    serviceDeployments: [],
    revisions: [],
    lastCompleted: undefined,
    tasks: [],
    steady: false,
    wakeAt: undefined
  }
}

function configuration (wish: ServiceWish): ServiceState['configuration'] {
  return {
    strategy: 'ROLLING',
    maximumPercent: 200,
    minimumHealthyPercent: 100,
    deploymentCircuitBreaker: { enable: false, rollback: false },
    ...wish.deploymentConfiguration
  }
}

function createService (call: Call<CreateServiceRequest>): Wire<CreateServiceResponse> {
  const { world, account, region, input } = call
  const cluster = needCluster(region, input.cluster)
  const definition = input.taskDefinition ? findTaskDefinition(region, input.taskDefinition) : undefined
  check(cluster, input)
  if (!definition) throw new AwsError('ClientException', 'TaskDefinition not found.')
  const service = newService({ world, account, region, cluster }, input, call.caller.arn)
  cluster.services.set(service.name, service)
  const place = { world, account, region, cluster, service }
  deploy(place, definition.arn)
  wake(place)
  return { service: viewService(service, ['TAGS']) }
}

function check (cluster: ClusterState, input: CreateServiceRequest): void {
  if (!/^[\w-]{1,255}$/.test(input.serviceName ?? '')) throw invalid('Invalid service name.')
  const existing = cluster.services.get(input.serviceName ?? '')
  if (existing && existing.status !== 'INACTIVE') throw invalid('Creation of service was not idempotent.')
}

function deleteService ({ world, account, region, input }: Call<DeleteServiceRequest>): Wire<DeleteServiceResponse> {
  const cluster = needCluster(region, input.cluster)
  const service = needService(cluster, input.service)
  if (service.desiredCount > 0 && !input.force && service.scheduling === 'REPLICA') {
    throw invalid('The service cannot be stopped while it is scaled above 0.')
  }
  service.desiredCount = 0
  service.status = 'DRAINING'
  const place = { world, account, region, cluster, service }
  for (const task of service.tasks.filter(isAlive)) stop(place, task, 'Service was deleted')
  wake(place)
  world.clock.at(world.clock.now() + 2000, () => { service.status = 'INACTIVE' })
  return { service: viewService(service) }
}
