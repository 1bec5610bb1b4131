import type {
  DescribeServiceDeploymentsRequest, DescribeServiceDeploymentsResponse, DescribeServiceRevisionsRequest,
  DescribeServiceRevisionsResponse, ListServiceDeploymentsRequest, ListServiceDeploymentsResponse,
  StopServiceDeploymentRequest, StopServiceDeploymentResponse
} from '@aws-sdk/client-ecs'
import { AwsError, invalid } from '../core/errors.js'
import { operation, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import { seconds, type Wire } from '../core/wire.js'
import { findTaskDefinition, requireCluster, requireService, serviceArn } from './lookup.js'
import { finishRecord, primaryOf, rollBack, setRollout, stopTasksOf } from './rollout.js'
import { wake } from './scheduler.js'
import type { ClusterState, ServiceDeploymentState, ServiceRevisionState, ServiceState } from './state.js'
import { maybeSeconds, viewServiceDeployment } from './views.js'

export const serviceDeploymentOperations = {
  ListServiceDeployments: operation('ecs:ListServiceDeployments', listServiceDeployments, ({ region, input }) =>
    serviceArn(region, input.cluster, input.service)
  ),
  DescribeServiceDeployments: operation(
    'ecs:DescribeServiceDeployments',
    describeServiceDeployments,
    ({ input }) => input.serviceDeploymentArns?.[0] ?? '*'
  ),
  DescribeServiceRevisions: operation(
    'ecs:DescribeServiceRevisions',
    describeServiceRevisions,
    ({ input }) => input.serviceRevisionArns?.[0] ?? '*'
  ),
  StopServiceDeployment: operation(
    'ecs:StopServiceDeployment',
    stopServiceDeployment,
    ({ input }) => input.serviceDeploymentArn ?? '*'
  )
}

function listServiceDeployments ({
  region,
  input
}: Call<ListServiceDeploymentsRequest>): Wire<ListServiceDeploymentsResponse> {
  const service = requireService(requireCluster(region, input.cluster), input.service)
  const { after, before } = wireRange(input.createdAt)
  const records = service.serviceDeployments
    .filter((one) => !input.status?.length || input.status.includes(one.status))
    .filter((one) => seconds(one.createdAt) >= after && seconds(one.createdAt) <= before)
  const request = { size: input.maxResults, token: input.nextToken }
  const { items, nextToken } = page(records, `deployments/${service.name}`, request, { fallback: 20, max: 100 })
  return { serviceDeployments: items.map((one) => brief(service, one)), nextToken }
}

function describeServiceDeployments (
  call: Call<DescribeServiceDeploymentsRequest>
): Wire<DescribeServiceDeploymentsResponse> {
  const arns = call.input.serviceDeploymentArns ?? []
  if (arns.length === 0 || arns.length > 20) throw invalid('serviceDeploymentArns must have 1 to 20 elements.')
  const found = arns.map((arn) => ({ arn, hit: findRecord(call, arn) }))
  return {
    serviceDeployments: found.flatMap(({ hit }) => (hit ? [viewServiceDeployment(hit.service, hit.record)] : [])),
    failures: found.filter(({ hit }) => !hit).map(({ arn }) => ({ arn, reason: 'MISSING' }))
  }
}

function describeServiceRevisions (
  call: Call<DescribeServiceRevisionsRequest>
): Wire<DescribeServiceRevisionsResponse> {
  const arns = call.input.serviceRevisionArns ?? []
  if (arns.length === 0 || arns.length > 20) throw invalid('serviceRevisionArns must have 1 to 20 elements.')
  const all = services(call).flatMap(({ service }) => service.revisions.map((revision) => ({ service, revision })))
  const found = arns.map((arn) => ({ arn, hit: all.find(({ revision }) => revision.arn === arn) }))
  return {
    serviceRevisions: found.flatMap(({ hit }) => (hit ? [viewRevision(call, hit.service, hit.revision)] : [])),
    failures: found.filter(({ hit }) => !hit).map(({ arn }) => ({ arn, reason: 'MISSING' }))
  }
}

function stopServiceDeployment (call: Call<StopServiceDeploymentRequest>): Wire<StopServiceDeploymentResponse> {
  const arn = call.input.serviceDeploymentArn ?? ''
  const hit = findRecord(call, arn)
  if (!hit) throw new AwsError('ServiceDeploymentNotFoundException', 'Service deployment not found.')
  const { cluster, service, record } = hit
  if (!['PENDING', 'IN_PROGRESS'].includes(record.status)) {
    throw new AwsError(
      'ConflictException',
      `Service deployment ${arn} is in status ${record.status} and cannot be stopped.`
    )
  }
  const { world, account, region, now } = call
  const context = { world, account, region, cluster, service }
  const primary = primaryOf(service)
  if (call.input.stopType === 'ABORT') {
    setRollout(primary, 'FAILED', 'Service deployment was stopped.', now)
    finishRecord(record, 'STOPPED', now, 'Stopped by the user.')
  } else if (!service.lastCompleted) {
    throw new AwsError('ConflictException', 'There is no service revision to roll back to.')
  } else {
    setRollout(primary, 'FAILED', 'Service deployment was stopped by the user.', now)
    stopTasksOf(context, primary)
    rollBack(context, primary, 'Rollback was requested by the user')
  }
  wake(context)
  return { serviceDeploymentArn: arn }
}

function services ({ region }: Call<unknown>): { cluster: ClusterState; service: ServiceState }[] {
  return [...region.ecs.clusters.values()].flatMap((cluster) =>
    [...cluster.services.values()].map((service) => ({ cluster, service }))
  )
}

function findRecord (call: Call<unknown>, arn: string) {
  for (const { cluster, service } of services(call)) {
    const record = service.serviceDeployments.find((one) => one.arn === arn)
    if (record) return { cluster, service, record }
  }
  return undefined
}

function brief (service: ServiceState, record: ServiceDeploymentState) {
  return {
    serviceDeploymentArn: record.arn,
    serviceArn: service.arn,
    clusterArn: service.clusterArn,
    status: record.status,
    statusReason: record.reason,
    createdAt: seconds(record.createdAt),
    startedAt: maybeSeconds(record.startedAt),
    finishedAt: maybeSeconds(record.finishedAt),
    targetServiceRevisionArn: record.targetRevisionArn
  }
}

function viewRevision ({ region }: Call<unknown>, service: ServiceState, revision: ServiceRevisionState) {
  const definition = findTaskDefinition(region, revision.taskDefinition)
  return {
    serviceRevisionArn: revision.arn,
    serviceArn: service.arn,
    clusterArn: service.clusterArn,
    taskDefinition: definition?.arn ?? revision.taskDefinition,
    launchType: service.launchType,
    platformVersion: service.platformVersion,
    containerImages: revision.images.map((one) => ({
      containerName: one.name,
      image: one.image,
      imageDigest: one.digest
    })),
    networkConfiguration: service.network,
    createdAt: seconds(revision.createdAt)
  }
}

/** Times of a request are numbers on the wire, unlike in the SDK's type. */
function wireRange (range: ListServiceDeploymentsRequest['createdAt']): { after: number; before: number } {
  return { after: Number(range?.after ?? 0), before: Number(range?.before ?? Infinity) }
}
