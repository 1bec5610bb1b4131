import type { ECS, Service, Task, TaskDefinition } from '@aws-sdk/client-ecs'
import { listDeployments } from '../../../../db/infrastructure/service-deployments.js'
import { ApiError } from '../../../../schemas/errors.js'
import type { ServiceDetail, ServiceTask } from '../../../../schemas/infrastructure/service-deployments.js'
import type { TaskFailure } from '../../../../schemas/infrastructure/services.js'
import { ServiceNotFound, type Deps } from '../errors.js'
import { nameOf } from '../identity.js'
import { describeDeploymentRow, readFailures } from './read-failures.js'
import { describeDeployment, describeService, judgeHealth, readDigests } from './describe-service.js'
import { loadDefinition, loadTargets } from './read-services.js'
import { keyOf, type ServiceRef } from './resolve.js'

/** AWS describes no more at once. */
const most = 100

/** @returns at most 100 tasks of the service that run or are to run */
const readTasks = async (ecs: ECS, cluster: string, service: Service): Promise<Task[]> => {
  const { taskArns: tasks = [] } = await ecs.listTasks({
    cluster, serviceName: service.serviceName, desiredStatus: 'RUNNING', maxResults: most
  })
  return tasks.length === 0 ? [] : (await ecs.describeTasks({ cluster, tasks })).tasks ?? []
}

const health = { HEALTHY: 'healthy', UNHEALTHY: 'unhealthy', UNKNOWN: 'unknown' } as const

export const healthOf = ({ healthStatus }: Task): ServiceTask['health'] => health[healthStatus ?? 'UNKNOWN']

/** Of the first interface in the network of the account. */
export const addressOf = ({ containers = [] }: Task): string | null =>
  containers.flatMap(({ networkInterfaces = [] }) => networkInterfaces)[0]?.privateIpv4Address ?? null

const describeTask = (task: Task): ServiceTask => ({
  id: nameOf(task.taskArn),
  status: (task.lastStatus ?? 'unknown').toLowerCase(),
  health: healthOf(task),
  task_definition: nameOf(task.taskDefinitionArn),
  availability_zone: task.availabilityZone ?? null,
  private_address: addressOf(task),
  started_at: task.startedAt ?? null
})

/** @returns a number of CPU units, or of MiB; null where AWS has none, or a text that is not one */
const amountOf = (text: string | number | undefined): number | null => {
  const amount = Number(text ?? NaN)
  return amount > 0 ? amount : null
}

/** A task's own limits; on EC2 they may be those of its containers only. */
const describeSize = ({ cpu, memory, containerDefinitions: containers = [] }: TaskDefinition) => ({
  cpu_units: amountOf(cpu) ?? amountOf(containers.reduce((sum, one) => sum + (one.cpu ?? 0), 0)),
  memory_mb: amountOf(memory) ??
    amountOf(containers.reduce((sum, one) => sum + (one.memory ?? one.memoryReservation ?? 0), 0))
})

const targetGroup = /targetgroup\/([^/]+)/

const describePorts = (definition: TaskDefinition, { loadBalancers = [] }: Service) => {
  const balancerOf = (container: string, port: number): string | null => {
    const found = loadBalancers.find((one) => one.containerName === container && one.containerPort === port)
    return targetGroup.exec(found?.targetGroupArn ?? '')?.[1] ?? found?.loadBalancerName ?? null
  }
  return (definition.containerDefinitions ?? []).flatMap(({ name: container = '', portMappings = [] }) =>
    portMappings.map(({ containerPort: port = 0, protocol = 'tcp' }) =>
      ({ container, port, protocol, load_balancer: balancerOf(container, port) })))
}

const shownEvents = 10

/** @throws service_not_found, and what AWS answers */
export const describeOne = async (ecs: ECS, { cluster, service }: Pick<ServiceRef, 'cluster' | 'service'>):
Promise<Service> => {
  const answer = await ecs.describeServices({ cluster, services: [service] }).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'aws_resource_not_found') throw ServiceNotFound()
    throw error
  })
  const found = answer.services?.[0]
  if (!found) throw ServiceNotFound()
  return found
}

/** @throws service_not_found, and what AWS answers */
export const loadService = async ({ aws }: Deps, ref: ServiceRef): Promise<Service> =>
  describeOne(await aws.client('ecs', ref.account, ref.region), ref)

/** Reads an optional part of the answer: when that fails, a note replaces it. */
const optional = async <T>(notes: string[], what: string, work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    notes.push(`${what} could not be read: ${error.message}`)
    return null
  })

const logsOf = (definition: TaskDefinition | null): ServiceDetail['logs'] => {
  if (!definition) return { available: false, reason: 'The task definition could not be read' }
  const drivers = (definition.containerDefinitions ?? []).map(({ logConfiguration }) => logConfiguration?.logDriver)
  if (drivers.includes('awslogs')) return { available: true, reason: null }
  const other = drivers.find((driver) => driver !== undefined)
  const reason = other ? `The logs go to ${other}, not to CloudWatch` : 'No container has a log driver'
  return { available: false, reason }
}

/** Healthy is said of tasks that were seen: without them, what the counts say is not known to be true. */
const judgeDetail = (service: Service, failures: TaskFailure[] | null, tasks: Task[] | null) => {
  const judged = judgeHealth(service, failures ?? [], tasks ?? [])
  return tasks === null && judged.health === 'healthy'
    ? { health: 'unknown' as const, health_reason: 'As many tasks run as are wanted; how they are could not be read' }
    : judged
}

/** Reads one service with everything that explains its state, without the cache. */
export const readService = async (deps: Deps, ref: ServiceRef): Promise<ServiceDetail> => {
  const service = await loadService(deps, ref)
  const notes: string[] = []
  const ecs = await deps.aws.client('ecs', ref.account, ref.region)
  const resource = `service/${ref.cluster}/${service.serviceName}`
  const [definition, targets, failures, tasks, [latest]] = await Promise.all([
    service.taskDefinition
      ? optional(notes, 'The task definition', loadDefinition(deps, ref, service.taskDefinition))
      : null,
    optional(notes, 'Autoscaling', loadTargets(deps, ref, [resource])),
    optional(notes, 'Stopped tasks', readFailures(ecs, ref.cluster, service.serviceName ?? ref.service)),
    optional(notes, 'Running tasks', readTasks(ecs, ref.cluster, service)),
    listDeployments(deps.db, keyOf(ref), 1)
  ])
  const digests = tasks && readDigests(service, tasks)
  return {
    ...describeService(ref, {
      service,
      containers: definition && (definition.containerDefinitions ?? []),
      target: targets ? targets[0] ?? null : undefined,
      digests
    }),
    ...judgeDetail(service, failures, tasks),
    deployments: (service.deployments ?? []).map(describeDeployment),
    events: (service.events ?? []).slice(0, shownEvents)
      .map(({ id = '', createdAt, message = '' }) => ({ id, at: createdAt ?? null, message })),
    current_deployment: latest ? describeDeploymentRow(latest) : null,
    recent_failures: failures,
    tasks: tasks && tasks.map(describeTask),
    task_size: definition && describeSize(definition),
    ports: definition && describePorts(definition, service),
    logs: logsOf(definition),
    notes
  }
}
