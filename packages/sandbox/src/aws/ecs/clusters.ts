import type {
  CreateClusterRequest, CreateClusterResponse, DescribeClustersRequest, DescribeClustersResponse, ListClustersRequest,
  ListClustersResponse
} from '@aws-sdk/client-ecs'
import { invalid } from '../core/errors.js'
import { operation, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import type { Wire } from '../core/wire.js'
import type { Region } from '../core/world.js'
import { clusterArn, ecsArn, findCluster } from './lookup.js'
import type { ClusterState } from './state.js'
import { viewCluster } from './views.js'

const RULE = { fallback: 100, max: 100 }

export const clusterOperations = {
  ListClusters: operation('ecs:ListClusters', listClusters),
  DescribeClusters: operation('ecs:DescribeClusters', describeClusters,
    ({ region, input }) => clusterArn(region, input.clusters?.[0])),
  CreateCluster: operation('ecs:CreateCluster', createCluster)
}

/** A cluster with nothing in it. */
export function newCluster (region: Region, name: string): ClusterState {
  return {
    name,
    arn: ecsArn(region, `cluster/${name}`),
    status: 'ACTIVE',
    tags: [],
    settings: [{ name: 'containerInsights', value: 'disabled' }],
    capacityProviders: ['FARGATE', 'FARGATE_SPOT'],
    statistics: [],
    containerInstances: 0,
    services: new Map()
  }
}

function listClusters ({ region, input }: Call<ListClustersRequest>): Wire<ListClustersResponse> {
  const arns = [...region.ecs.clusters.values()].map((one) => one.arn)
  const { items, nextToken } = page(arns, 'clusters', { size: input.maxResults, token: input.nextToken }, RULE)
  return { clusterArns: items, nextToken }
}

function describeClusters ({ region, input }: Call<DescribeClustersRequest>): Wire<DescribeClustersResponse> {
  const names = input.clusters ?? ['default']
  if (names.length > 100) throw invalid('Clusters cannot have more than 100 elements.')
  const found = names.map((name) => ({ name, cluster: findCluster(region, name) }))
  return {
    clusters: found.flatMap(({ cluster }) => cluster ? [viewCluster(cluster, input.include ?? [])] : []),
    failures: found.filter(({ cluster }) => !cluster)
      .map(({ name }) => ({ arn: clusterArn(region, name), reason: 'MISSING' }))
  }
}

function createCluster ({ region, input }: Call<CreateClusterRequest>): Wire<CreateClusterResponse> {
  const name = input.clusterName ?? 'default'
  if (!/^[\w-]{1,255}$/.test(name)) throw invalid('Invalid cluster name.')
  const cluster = region.ecs.clusters.get(name) ?? newCluster(region, name)
  cluster.tags = input.tags ?? cluster.tags
  cluster.settings = input.settings ?? cluster.settings
  region.ecs.clusters.set(name, cluster)
  return { cluster: viewCluster(cluster, ['TAGS', 'SETTINGS']) }
}
