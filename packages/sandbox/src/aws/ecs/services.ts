import type {
  DescribeServicesRequest, DescribeServicesResponse, ListServicesRequest, ListServicesResponse
} from '@aws-sdk/client-ecs'
import { invalid } from '../core/errors.js'
import { operation, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import type { Wire } from '../core/wire.js'
import { clusterArn, findService, requireCluster, serviceArn } from './lookup.js'
import { viewService } from './views.js'

export const serviceOperations = {
  ListServices: operation('ecs:ListServices', listServices,
    ({ region, input }) => clusterArn(region, input.cluster)),
  DescribeServices: operation('ecs:DescribeServices', describeServices,
    ({ region, input }) => serviceArn(region, input.cluster, input.services?.[0]))
}

function listServices ({ region, input }: Call<ListServicesRequest>): Wire<ListServicesResponse> {
  const cluster = requireCluster(region, input.cluster)
  const arns = [...cluster.services.values()]
    .filter((one) => one.status !== 'INACTIVE')
    .filter((one) => !input.launchType || one.launchType === input.launchType)
    .filter((one) => !input.schedulingStrategy || one.scheduling === input.schedulingStrategy)
    .map((one) => one.arn)
  const request = { size: input.maxResults, token: input.nextToken }
  const { items, nextToken } = page(arns, `services/${cluster.name}`, request, { fallback: 10, max: 100 })
  return { serviceArns: items, nextToken }
}

function describeServices ({ region, input }: Call<DescribeServicesRequest>): Wire<DescribeServicesResponse> {
  const names = input.services ?? []
  if (names.length === 0) throw invalid('Services cannot be empty.')
  if (names.length > 10) throw invalid('Services cannot have more than 10 elements.')
  const cluster = requireCluster(region, input.cluster)
  const found = names.map((name) => ({ name, service: findService(cluster, name) }))
  return {
    services: found.flatMap(({ service }) => service ? [viewService(service, input.include)] : []),
    failures: found.filter(({ service }) => !service)
      .map(({ name }) => ({ arn: serviceArn(region, cluster.name, name), reason: 'MISSING' }))
  }
}
