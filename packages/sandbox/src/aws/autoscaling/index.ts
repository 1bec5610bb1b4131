import type {
  DeregisterScalableTargetRequest, DescribeScalableTargetsRequest, DescribeScalableTargetsResponse,
  RegisterScalableTargetRequest, RegisterScalableTargetResponse, ScalableTarget
} from '@aws-sdk/client-application-auto-scaling'
import { AwsError, validation } from '../core/errors.js'
import { operation, type Call, type Operation } from '../core/operation.js'
import { page } from '../core/paging.js'
import { seconds, type Wire } from '../core/wire.js'
import type { ServiceContext } from '../ecs/lookup.js'
import { wake } from '../ecs/scheduler.js'

const DIMENSION = 'ecs:service:DesiredCount'
const RULE = { fallback: 50, max: 50, error: validation }
const NOTHING_SUSPENDED = {
  DynamicScalingInSuspended: false,
  DynamicScalingOutSuspended: false,
  ScheduledScalingSuspended: false
}

export const autoscalingOperations: Record<string, Operation> = {
  DescribeScalableTargets: operation('application-autoscaling:DescribeScalableTargets', describeTargets),
  RegisterScalableTarget: operation('application-autoscaling:RegisterScalableTarget', registerTarget, targetArn),
  DeregisterScalableTarget: operation('application-autoscaling:DeregisterScalableTarget', deregisterTarget)
}

function describeTargets ({
  region,
  input
}: Call<DescribeScalableTargetsRequest>): Wire<DescribeScalableTargetsResponse> {
  if (!input.ServiceNamespace) throw validation('ServiceNamespace must not be null')
  const targets = [...region.scalableTargets.values()]
    .filter((one) => one.ServiceNamespace === input.ServiceNamespace)
    .filter((one) => !input.ScalableDimension || one.ScalableDimension === input.ScalableDimension)
    .filter((one) => !input.ResourceIds?.length || input.ResourceIds.includes(one.ResourceId ?? ''))
  const { items, nextToken } = page(targets, 'targets', { size: input.MaxResults, token: input.NextToken }, RULE)
  return { ScalableTargets: items, NextToken: nextToken }
}

function registerTarget (call: Call<RegisterScalableTargetRequest>): Wire<RegisterScalableTargetResponse> {
  const { input, region, now } = call
  const id = input.ResourceId ?? ''
  const known = region.scalableTargets.get(id)
  const context = serviceContext(call, id)
  const min = input.MinCapacity ?? known?.MinCapacity
  const max = input.MaxCapacity ?? known?.MaxCapacity
  requireValid(input, context, min, max)
  const target: Wire<ScalableTarget> = {
    ServiceNamespace: 'ecs',
    ResourceId: id,
    ScalableDimension: DIMENSION,
    MinCapacity: min,
    MaxCapacity: max,
    RoleARN:
      known?.RoleARN ??
      `arn:aws:iam::${region.accountId}:role/aws-service-role/ecs.application-autoscaling` +
        '.amazonaws.com/AWSServiceRoleForApplicationAutoScaling_ECSService',
    CreationTime: known?.CreationTime ?? seconds(now),
    SuspendedState: { ...NOTHING_SUSPENDED, ...known?.SuspendedState, ...input.SuspendedState },
    ScalableTargetARN: known?.ScalableTargetARN ?? newTargetArn(call)
  }
  region.scalableTargets.set(id, target)
  if (context && min !== undefined && max !== undefined) moveInside(context, min, max)
  return { ScalableTargetARN: target.ScalableTargetARN }
}

function deregisterTarget ({ input, region }: Call<DeregisterScalableTargetRequest>): Record<string, never> {
  if (!region.scalableTargets.delete(input.ResourceId ?? '')) {
    throw new AwsError('ObjectNotFoundException', `No scalable target registered for ${input.ResourceId ?? ''}`)
  }
  return {}
}

function requireValid (
  input: RegisterScalableTargetRequest,
  context: ServiceContext | undefined,
  min?: number,
  max?: number
): void {
  if (input.ServiceNamespace !== 'ecs' || input.ScalableDimension !== DIMENSION) {
    throw validation('Unsupported service namespace, resource type or scalable dimension')
  }
  if (!context) throw validation(`ECS service doesn't exist: ${input.ResourceId ?? ''}`)
  if (min === undefined || max === undefined) {
    throw validation('Both min and max capacity must be specified when registering a new scalable target')
  }
  if (max < min) throw validation('Maximum capacity cannot be less than minimum capacity')
}

/** New bounds move the capacity at once. */
function moveInside (context: ServiceContext, min: number, max: number): void {
  const wanted = Math.min(max, Math.max(min, context.service.desiredCount))
  if (wanted === context.service.desiredCount) return
  context.service.desiredCount = wanted
  wake(context)
}

function serviceContext ({ world, account, region }: Call<unknown>, resourceId: string): ServiceContext | undefined {
  const [, clusterName = '', serviceName = ''] = resourceId.split('/')
  const cluster = region.ecs.clusters.get(clusterName)
  const service = cluster?.services.get(serviceName)
  return cluster && service ? { world, account, region, cluster, service } : undefined
}

function targetArn ({ region, input }: Call<RegisterScalableTargetRequest>): string {
  return region.scalableTargets.get(input.ResourceId ?? '')?.ScalableTargetARN ??
    `arn:aws:application-autoscaling:${region.name}:${region.accountId}:scalable-target/new`
}

function newTargetArn ({ world, region }: Call<unknown>): string {
  return `arn:aws:application-autoscaling:${region.name}:${region.accountId}:scalable-target/0ec5${world.ids.hex(28)}`
}
