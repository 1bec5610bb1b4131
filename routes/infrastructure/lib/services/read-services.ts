import type { ApplicationAutoScaling, ScalableTarget } from '@aws-sdk/client-application-auto-scaling'
import type { ECS, Service, Task, TaskDefinition } from '@aws-sdk/client-ecs'
import { keyOfAccount } from '../../../../lib/aws/accounts.js'
import { collectPages } from '../../../../lib/aws/pages.js'
import { ApiError } from '../../../../schemas/errors.js'
import type { ContainerService } from '../../../../schemas/infrastructure/services.js'
import { describeService, judgeHealth, readDigests, readTaskImages } from './describe-service.js'
import { nameOf } from '../identity.js'
import { chunked } from './read-clusters.js'
import type { Deps, Source } from '../errors.js'

const ttlMs = 10_000
/** AWS allows 5,000 services in a cluster. */
const maxPages = 60
/** DescribeServices refuses more. */
const chunk = 10
const immutable = 86_400_000

const listArns = (ecs: ECS, cluster: string): Promise<string[]> =>
  collectPages({ what: 'ListServices', maxPages }, async (nextToken) => {
    const page = await ecs.listServices({ cluster, maxResults: 100, nextToken })
    return { items: page.serviceArns ?? [], next: page.nextToken }
  })

/** @returns the names of the services of a cluster; none of one that is gone */
export const listServiceNames = async (ecs: ECS, cluster: string): Promise<string[]> =>
  (await listArns(ecs, cluster).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'aws_resource_not_found') return []
    throw error
  })).map(nameOf)

const load = async (ecs: ECS, cluster: string): Promise<Service[]> => {
  const arns = await listArns(ecs, cluster)
  const pages = await Promise.all(chunked(arns, chunk).map((services) => ecs.describeServices({ cluster, services })))
  return pages.flatMap((page) => page.services ?? []).filter((service) => service.status !== 'INACTIVE')
}

export const servicesKey = ({ account, region }: Source, cluster: string): string =>
  `${keyOfAccount(account)}|${region}|services|${cluster}|`

/** @returns AWS's descriptions of the cluster's services, at most 10 s old */
export const loadServices = ({ aws }: Deps, source: Source, cluster: string): Promise<Service[]> =>
  aws.inventory.recall(servicesKey(source, cluster), ttlMs, async () =>
    load(await aws.client('ecs', source.account, source.region), cluster))

/** @returns the task definition; one revision never changes */
export const loadDefinition = ({ aws }: Deps, source: Source, arn: string): Promise<TaskDefinition | null> =>
  aws.inventory.recall(`${keyOfAccount(source.account)}|${source.region}|definition|${arn}`, immutable, async () => {
    const ecs = await aws.client('ecs', source.account, source.region)
    return (await ecs.describeTaskDefinition({ taskDefinition: arn })).taskDefinition ?? null
  })

/** @returns the scalable targets of the services, each named `service/<cluster>/<name>` */
export const describeTargets = async (client: ApplicationAutoScaling, names: string[]): Promise<ScalableTarget[]> => {
  const pages = await Promise.all(chunked(names, 50).map((ResourceIds) => client.describeScalableTargets({
    ServiceNamespace: 'ecs', ScalableDimension: 'ecs:service:DesiredCount', ResourceIds
  })))
  return pages.flatMap((page) => page.ScalableTargets ?? [])
}

export const loadTargets = async ({ aws }: Deps, { account, region }: Source, names: string[]):
Promise<ScalableTarget[]> =>
  names.length === 0 ? [] : describeTargets(await aws.client('autoscaling', account, region), names)

const targetName = (service: Service) => `service/${nameOf(service.clusterArn)}/${service.serviceName}`

const targetsOf = (deps: Deps, source: Source, cluster: string, services: Service[]) =>
  deps.aws.inventory.recall(`${servicesKey(source, cluster)}targets`, ttlMs, () =>
    loadTargets(deps, source, services.map(targetName)))

/** Tasks of a cluster that are read for a list; what they are beyond, a single read says. */
const maxTaskPages = 20

const listTasksOf = async (ecs: ECS, cluster: string): Promise<Task[]> => {
  const arns = await collectPages({ what: 'ListTasks', maxPages: maxTaskPages }, async (nextToken) => {
    const page = await ecs.listTasks({ cluster, desiredStatus: 'RUNNING', maxResults: 100, nextToken })
    return { items: page.taskArns ?? [], next: page.nextToken }
  })
  const pages = await Promise.all(chunked(arns, 100).map((tasks) => ecs.describeTasks({ cluster, tasks })))
  return pages.flatMap(({ tasks = [] }) => tasks)
}

/** @returns the tasks of a cluster that run or are to run, by the service that started them, at most 10 s old */
const loadTasks = ({ aws }: Deps, source: Source, cluster: string): Promise<Map<string, Task[]>> =>
  aws.inventory.recall(`${servicesKey(source, cluster)}tasks`, ttlMs, async () => {
    const tasks = await listTasksOf(await aws.client('ecs', source.account, source.region), cluster)
    const byGroup = new Map<string, Task[]>()
    for (const task of tasks) {
      const held = byGroup.get(task.group ?? '')
      if (held) held.push(task)
      else byGroup.set(task.group ?? '', [task])
    }
    return byGroup
  })

/** @returns undefined for what AWS does not let be read */
const unlessRefused = <T>(work: Promise<T>): Promise<T | undefined> => work.catch((error: unknown) => {
  if (error instanceof ApiError) return undefined
  throw error
})

/** One call for each revision, which the tasks of a large cluster spare. */
const definedImages = async (deps: Deps, source: Source, { taskDefinition: arn }: Service) => {
  const definition = arn === undefined ? null : await unlessRefused(loadDefinition(deps, source, arn)) ?? null
  return definition && (definition.containerDefinitions ?? [])
}

/** The services of a cluster, and why autoscaling is not known of them. */
export interface ReadServices { services: ContainerService[], unread: ApiError | undefined }

/** @returns the services of one cluster; their images, autoscaling and tasks may be missing */
export const readServices = async (deps: Deps, source: Source, cluster: string): Promise<ReadServices> => {
  const services = await loadServices(deps, source, cluster)
  const [targets, tasks] = await Promise.all([
    targetsOf(deps, source, cluster, services).catch((error: unknown) => {
      if (error instanceof ApiError) return error
      throw error
    }),
    unlessRefused(loadTasks(deps, source, cluster))
  ])
  const targetOf = (service: Service) => targets instanceof ApiError
    ? undefined
    : targets.find(({ ResourceId }) => ResourceId === targetName(service)) ?? null
  const described = await Promise.all(services.map(async (service) => {
    const running = tasks?.get(`service:${service.serviceName}`)
    return {
      ...describeService(source, {
        service,
        containers: readTaskImages(service, running ?? []) ?? await definedImages(deps, source, service),
        target: targetOf(service),
        digests: running && readDigests(service, running)
      }),
      ...judgeHealth(service, [], running)
    }
  }))
  return { services: described, unread: targets instanceof ApiError ? targets : undefined }
}
