import { AwsError } from '../core/errors.js'
import type { Account, Region, World } from '../core/world.js'
import type { ClusterState, ServiceState, TaskDefinitionState } from './state.js'

/** A service with its cluster, region, account and world, as the scheduler needs them. */
export interface ServiceContext {
  world: World
  account: Account
  region: Region
  cluster: ClusterState
  service: ServiceState
}

/** The start of every ECS ARN of a region. */
export function ecsArn (region: Region, rest: string): string {
  return `arn:aws:ecs:${region.name}:${region.accountId}:${rest}`
}

/** The last part of an ARN, or the name itself. */
export function lastPart (nameOrArn: string): string {
  return nameOrArn.slice(nameOrArn.lastIndexOf('/') + 1)
}

/** The cluster of a name or an ARN, `default` when none is given. */
export function findCluster (region: Region, nameOrArn: string | undefined): ClusterState | undefined {
  const cluster = region.ecs.clusters.get(lastPart(nameOrArn ?? 'default'))
  if (cluster === undefined || !nameOrArn?.startsWith('arn:')) return cluster
  return cluster.arn === nameOrArn ? cluster : undefined
}

/** The cluster, or ClusterNotFoundException. */
export function requireCluster (region: Region, nameOrArn: string | undefined): ClusterState {
  const cluster = findCluster(region, nameOrArn)
  if (!cluster || cluster.status !== 'ACTIVE') throw new AwsError('ClusterNotFoundException', 'Cluster not found.')
  return cluster
}

/** A service by name or ARN; the ARN must be of this very service. */
export function findService (cluster: ClusterState, nameOrArn: string): ServiceState | undefined {
  const service = cluster.services.get(lastPart(nameOrArn))
  return nameOrArn.startsWith('arn:') && service?.arn !== nameOrArn ? undefined : service
}

/** The service, or ServiceNotFoundException. */
export function requireService (cluster: ClusterState, nameOrArn: string | undefined): ServiceState {
  const service = nameOrArn ? findService(cluster, nameOrArn) : undefined
  if (!service) throw new AwsError('ServiceNotFoundException', 'Service not found.')
  return service
}

/** A revision by `family`, `family:revision` or ARN; the newest active one when the revision is left out. */
export function findTaskDefinition (region: Region, name: string): TaskDefinitionState | undefined {
  const [family, revision] = lastPart(name).split(':')
  const revisions = region.ecs.taskDefinitions.get(family ?? '') ?? []
  const found = revision === undefined ? revisions.at(-1) : revisions.find((one) => String(one.revision) === revision)
  return name.startsWith('arn:') && found?.arn !== name ? undefined : found
}

/** ARNs that policies name; they need not exist. */
export function serviceArn (region: Region, cluster: string | undefined, service: string | undefined): string {
  return ecsArn(region, `service/${lastPart(cluster ?? 'default')}/${lastPart(service ?? '')}`)
}

/** The cluster's ARN, existing or not. */
export function clusterArn (region: Region, cluster: string | undefined): string {
  return ecsArn(region, `cluster/${lastPart(cluster ?? 'default')}`)
}
