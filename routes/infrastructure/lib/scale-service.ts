import type { ScalableTarget } from '@aws-sdk/client-application-auto-scaling'
import type { Service } from '@aws-sdk/client-ecs'
import { requireWritable } from '../../../lib/aws/accounts.js'
import { allow, scalableTargetArn, type Statement } from '../../../lib/aws/session-policy.js'
import { ApiError } from '../../../schemas/errors.js'
import type { Autoscaling, ScaleResult, ScaleService } from '../../../schemas/infrastructure/services.js'
import { describeTarget } from './describe-service.js'
import { AutoscalingConflict, NotScalable } from './errors.js'
import { makeId } from './identity.js'
import { clustersKey } from './read-clusters.js'
import { loadService } from './read-service.js'
import { loadTargets, servicesKey } from './read-services.js'
import type { ServiceRef } from './resolve.js'
import type { ActingDeps, Deps } from './sources.js'
import { serviceArn, updateStatements, writeEcs } from './write-ecs.js'

export type ScalingAction = 'none' | 'suspended' | 'bounds_changed' | 'ignored'

const choices = { suspend: 'suspended', adjust: 'bounds_changed', ignore: 'ignored' } as const

/**
 * Decides before anything is written.
 * @throws autoscaling_conflict when the count is outside the range of autoscaling, unless the input says what to do
 */
export const planScaling = (bounds: Autoscaling | null, input: ScaleService): ScalingAction => {
  const { desired_count: count, autoscaling } = input
  if (!bounds || bounds.suspended || (count >= bounds.min && count <= bounds.max)) return 'none'
  if (autoscaling !== 'refuse') return choices[autoscaling]
  throw AutoscalingConflict(`Autoscaling keeps this service between ${bounds.min} and ${bounds.max} tasks; ` +
    `${count} is outside. Say autoscaling: suspend, adjust or ignore`,
  { autoscaling: bounds, choices: Object.keys(choices) })
}

const requireScalable = (service: Service) => {
  if (service.schedulingStrategy === 'DAEMON') {
    throw NotScalable('A DAEMON service runs one task on each container instance and has no count')
  }
  if (service.status !== 'ACTIVE') throw NotScalable(`The service is ${service.status}`)
}

const targetOf = ({ cluster, service }: ServiceRef): string => `service/${cluster}/${service}`

const widened = ({ min, max }: Autoscaling, count: number) => ({ min: Math.min(min, count), max: Math.max(max, count) })

/** Application Auto Scaling asks ECS on the caller's behalf: it needs the service's own actions as well. */
const boundsStatements = (ref: ServiceRef, service: Service, target: ScalableTarget | undefined) => [
  allow('application-autoscaling:RegisterScalableTarget', scalableTargetArn(ref, target?.ScalableTargetARN)),
  allow(['ecs:DescribeServices', 'ecs:UpdateService'], serviceArn(ref, ref, service))
]

interface Bounded { bounds: Autoscaling, action: ScalingAction, count: number, statements: Statement[] }

const changeBounds = ({ aws }: ActingDeps, ref: ServiceRef, { bounds, action, count, statements }: Bounded) => {
  const suspended = {
    DynamicScalingInSuspended: true, DynamicScalingOutSuspended: true, ScheduledScalingSuspended: true
  }
  const { min, max } = widened(bounds, count)
  return aws.write('autoscaling', ref, statements, (client) => client.registerScalableTarget({
    ServiceNamespace: 'ecs',
    ScalableDimension: 'ecs:service:DesiredCount',
    ResourceId: targetOf(ref),
    ...(action === 'suspended' ? { SuspendedState: suspended } : { MinCapacity: min, MaxCapacity: max })
  }))
}

const setCount = async ({ aws }: ActingDeps, ref: ServiceRef, before: Service, desiredCount: number) => {
  const { cluster, service } = ref
  const { service: after } = await writeEcs(aws, ref)(updateStatements(ref, ref, before), (ecs) =>
    ecs.updateService({ cluster, service, desiredCount }))
  return after
}

const warningsOf = (service: Service, bounds: Autoscaling | null, action: ScalingAction, count: number): string[] => [
  ...((service.deployments ?? []).length > 1 ? ['A deployment is in progress: for a while both revisions run'] : []),
  ...(bounds && !bounds.suspended && action === 'none' ? ['Autoscaling is active and may change the count again'] : []),
  ...(bounds?.suspended ? ['Autoscaling is suspended'] : []),
  ...(action === 'ignored' ? ['Autoscaling does not act while the count is outside its range'] : []),
  ...(count === 0 ? ['The service is stopped: no task will run'] : [])
]

interface Bounds { bounds: Autoscaling | null, notes: string[] }

/** Reads back what AWS has; when that fails, returns what was sent, with a note. */
const readBounds = async (deps: Deps, ref: ServiceRef, before: Autoscaling | null, action: ScalingAction,
  count: number): Promise<Bounds> => {
  if (!before || action === 'none' || action === 'ignored') return { bounds: before, notes: [] }
  try {
    return { bounds: describeTarget((await loadTargets(deps, ref, [targetOf(ref)]))[0] ?? null), notes: [] }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const sent = action === 'suspended' ? before : widened(before, count)
    const note = `The range of autoscaling could not be read back: ${error.message}`
    return { bounds: { ...before, ...sent }, notes: [note] }
  }
}

/** Adds to the error what was done: the bounds may have changed while the count has not. */
const failAfter = (action: ScalingAction) => (error: unknown): never => {
  if (error instanceof ApiError && action !== 'none') error.members.autoscaling_action = action
  throw error
}

/**
 * Sets how many tasks a service runs. A changed count starts no deployment.
 * @throws cloud_account_read_only, service_not_found, autoscaling_conflict, not_scalable, and what AWS answers
 */
export const scaleService = async (deps: ActingDeps, ref: ServiceRef, input: ScaleService): Promise<ScaleResult> => {
  requireWritable(ref.account)
  const count = input.desired_count
  const service = await loadService(deps, ref)
  requireScalable(service)
  const targets = input.autoscaling === 'ignore'
    ? await loadTargets(deps, ref, [targetOf(ref)]).catch(() => [])
    : await loadTargets(deps, ref, [targetOf(ref)])
  const bounds = describeTarget(targets[0] ?? null)
  const action = planScaling(bounds, input)
  const warnings = warningsOf(service, bounds, action, count)
  const requested = new Date()
  if (bounds && (action === 'suspended' || action === 'bounds_changed')) {
    const statements = boundsStatements(ref, service, targets[0])
    await changeBounds(deps, ref, { bounds, action, count, statements })
  }
  const changed = service.desiredCount !== count
  const now = changed ? await setCount(deps, ref, service, count).catch(failAfter(action)) : service
  const after = await readBounds(deps, ref, bounds, action, count)
  deps.aws.inventory.forget(servicesKey(ref, ref.cluster))
  deps.aws.inventory.forget(clustersKey(ref))
  return {
    service_id: makeId(ref.account.id, ref.region, ref.cluster, ref.service),
    previous_count: service.desiredCount ?? 0,
    desired_count: now?.desiredCount ?? count,
    running_count: now?.runningCount ?? service.runningCount ?? 0,
    pending_count: now?.pendingCount ?? service.pendingCount ?? 0,
    changed: changed || action === 'suspended' || action === 'bounds_changed',
    autoscaling: after.bounds && { min: after.bounds.min, max: after.bounds.max, action },
    warnings: [...warnings, ...after.notes],
    requested_at: requested
  }
}
