import { keyOfAccount } from '../../../../lib/aws/accounts.js'
import { collectPages } from '../../../../lib/aws/pages.js'
import type { Cluster as AwsCluster, ECS } from '@aws-sdk/client-ecs'
import type { Cluster } from '../../../../schemas/infrastructure/services.js'
import { consoleOf } from '../../../../schemas/cloud/accounts.js'
import { makeId } from '../identity.js'
import type { Deps, Source, SourceRead } from '../errors.js'

const ttlMs = 30_000
/** AWS allows 10,000 clusters in a region. */
const maxPages = 100
const chunk = 100

/** @returns the pieces of a list, each at most as long as AWS takes in one call */
export const chunked = <T>(list: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size))

const listArns = (ecs: ECS): Promise<string[]> =>
  collectPages({ what: 'ListClusters', maxPages }, async (nextToken) => {
    const page = await ecs.listClusters({ maxResults: 100, nextToken })
    return { items: page.clusterArns ?? [], next: page.nextToken }
  })

const load = async (ecs: ECS, arns: string[]): Promise<AwsCluster[]> => {
  const pages = await Promise.all(chunked(arns, chunk).map((clusters) =>
    ecs.describeClusters({ clusters, include: ['TAGS', 'SETTINGS'] })))
  return pages.flatMap((page) => page.clusters ?? []).filter((cluster) => cluster.status !== 'INACTIVE')
}

/** @returns the ARNs of the clusters of one account and region, at most 30 s old */
export const loadClusterArns = ({ aws }: Deps, { account, region }: Source): Promise<string[]> =>
  aws.inventory.recall(`${keyOfAccount(account)}|${region}|cluster ARNs`, ttlMs, async () =>
    listArns(await aws.client('ecs', account, region)))

/** The clusters of one account and region, at most 30 s old. */
export const clustersIn = (deps: Deps): SourceRead<Cluster> => ({
  name: 'clusters',
  ttlMs,
  read: async (source) => {
    const ecs = await deps.aws.client('ecs', source.account, source.region)
    return (await load(ecs, await loadClusterArns(deps, source))).map((cluster) => describeCluster(source, cluster))
  }
})

const describeCluster = ({ account, region }: Source, cluster: AwsCluster): Cluster => {
  const name = cluster.clusterName ?? ''
  const tags = (cluster.tags ?? []).map(({ key, value }) => [key ?? '', value ?? ''])
  return {
    id: makeId(account.id, region, name),
    arn: cluster.clusterArn ?? '',
    name,
    account_id: account.id,
    account_name: account.name,
    environment: account.environment,
    read_only: account.read_only,
    region,
    status: cluster.status ?? 'UNKNOWN',
    running_tasks: cluster.runningTasksCount ?? 0,
    pending_tasks: cluster.pendingTasksCount ?? 0,
    active_services: cluster.activeServicesCount ?? 0,
    container_instances: cluster.registeredContainerInstancesCount ?? 0,
    capacity_providers: cluster.capacityProviders ?? [],
    container_insights: cluster.settings?.find(({ name }) => name === 'containerInsights')?.value ?? null,
    tags: Object.fromEntries(tags),
    console_url: `${consoleOf(account.partition, region)}/ecs/v2/clusters/${name}/services?region=${region}`
  }
}
