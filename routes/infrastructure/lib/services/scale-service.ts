import type { ApplicationAutoScaling, ScalableTarget } from '@aws-sdk/client-application-auto-scaling'
import type { ECS, Service } from '@aws-sdk/client-ecs'
import { requireWritable } from '../../../../lib/aws/accounts.js'
import { withTarget, type TargetClaim } from '../../../../lib/durable/target-claim.js'
import { requireExpected } from '../../../../lib/tools/digest.js'
import type { OpenClient } from '../../../../lib/aws/account-clients.js'
import { allow, scalableTargetArn, type Statement } from '../../../../lib/aws/sessions.js'
import { ApiError } from '../../../../schemas/errors.js'
import type {
  Autoscaling, ContainerService, ScaleFacts, ScaleResult, ScaleService
} from '../../../../schemas/infrastructure/services.js'
import { describeService, describeTarget } from './describe-service.js'
import { AutoscalingConflict, NotScalable, keyFor, type ActingDeps } from '../errors.js'
import { makeId } from '../identity.js'
import { describeOne } from './read-service.js'
import { describeTargets, servicesKey } from './read-services.js'
import type { ServiceRef } from './resolve.js'
import { describeStatements, targetOfService, updateStatements } from '../write-ecs.js'

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

/** The bounds that the count fits in. */
export const widened = ({ min, max }: Autoscaling, count: number) =>
  ({ min: Math.min(min, count), max: Math.max(max, count) })

/** @returns what of the service and its autoscaling a count is approved on */
export const scaleFacts = (service: Pick<ContainerService, keyof ScaleFacts>): ScaleFacts => ({
  desired_count: service.desired_count,
  status: service.status,
  scheduling: service.scheduling,
  task_definition: service.task_definition?.arn ?? null,
  autoscaling: service.autoscaling
})

const readsOf = (ref: ServiceRef): Statement[] => [
  ...describeStatements(ref, ref),
  // AWS knows no resource of this action.
  allow('application-autoscaling:DescribeScalableTargets', '*')
]

/** Application Auto Scaling asks ECS on the caller's behalf: it needs the service's own actions as well. */
const boundsStatement = (ref: ServiceRef, { ScalableTargetARN: arn }: ScalableTarget): Statement =>
  allow('application-autoscaling:RegisterScalableTarget', scalableTargetArn(ref, arn))

/** The clients of one session. */
interface Clients { ecs: ECS, scaling: ApplicationAutoScaling }

const openBoth = async (open: OpenClient): Promise<Clients> => {
  const [ecs, scaling] = await Promise.all([open('ecs'), open('autoscaling')])
  return { ecs, scaling }
}

/** What is there right before something is sent. */
interface Found { service: Service, target: ScalableTarget | null, bounds: Autoscaling | null }

const readTarget = async (scaling: ApplicationAutoScaling, ref: ServiceRef): Promise<ScalableTarget | null> =>
  (await describeTargets(scaling, [targetOf(ref)]))[0] ?? null

/** @returns null for bounds that may not be read, where the input ignores them and no approval has shown some */
const readBounds = (scaling: ApplicationAutoScaling, ref: ServiceRef, { autoscaling, expected }: ScaleService) => {
  const read = readTarget(scaling, ref)
  return autoscaling === 'ignore' && !expected?.autoscaling ? read.catch(() => null) : read
}

const readNow = async ({ ecs, scaling }: Clients, ref: ServiceRef, input: ScaleService): Promise<Found> => {
  const [service, target] = await Promise.all([describeOne(ecs, ref), readBounds(scaling, ref, input)])
  return { service, target, bounds: describeTarget(target) }
}

interface Bounded { bounds: Autoscaling, action: ScalingAction, count: number }

const changeBounds = (scaling: ApplicationAutoScaling, ref: ServiceRef, { bounds, action, count }: Bounded) => {
  const suspended = {
    DynamicScalingInSuspended: true, DynamicScalingOutSuspended: true, ScheduledScalingSuspended: true
  }
  const { min, max } = widened(bounds, count)
  return scaling.registerScalableTarget({
    ServiceNamespace: 'ecs',
    ScalableDimension: 'ecs:service:DesiredCount',
    ResourceId: targetOf(ref),
    ...(action === 'suspended' ? { SuspendedState: suspended } : { MinCapacity: min, MaxCapacity: max })
  })
}

const setCount = async (ecs: ECS, { cluster, service }: ServiceRef, desiredCount: number) =>
  (await ecs.updateService({ cluster, service, desiredCount })).service

const warningsOf = (service: Service, bounds: Autoscaling | null, action: ScalingAction, count: number): string[] => [
  ...((service.deployments ?? []).length > 1 ? ['A deployment is in progress: for a while both revisions run'] : []),
  ...(bounds && !bounds.suspended && action === 'none' ? ['Autoscaling is active and may change the count again'] : []),
  ...(bounds?.suspended ? ['Autoscaling is suspended'] : []),
  ...(action === 'ignored' ? ['Autoscaling does not act while the count is outside its range'] : []),
  ...(count === 0 ? ['The service is stopped: no task will run'] : [])
]

interface Bounds { bounds: Autoscaling | null, notes: string[] }

/** Reads back what AWS has; when that fails, returns what was sent, with a note. */
const readBack = async (scaling: ApplicationAutoScaling, ref: ServiceRef, before: Autoscaling | null,
  action: ScalingAction, count: number): Promise<Bounds> => {
  if (!before || action === 'none' || action === 'ignored') return { bounds: before, notes: [] }
  try {
    return { bounds: describeTarget(await readTarget(scaling, ref)), notes: [] }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const sent = action === 'suspended' ? { suspended: true } : widened(before, count)
    const note = `The range of autoscaling could not be read back: ${error.message}`
    return { bounds: { ...before, ...sent }, notes: [note] }
  }
}

/** Adds to the error what was done: the bounds may have changed while the count has not. */
const failAfter = (action: ScalingAction) => (error: unknown): never => {
  if (error instanceof ApiError && action !== 'none') error.members.autoscaling_action = action
  throw error
}

interface Scaling { ref: ServiceRef, input: ScaleService, claim: TargetClaim }

/** Reads the service once, compares it with what was approved, and sends: nothing else is between the two. */
const readAndScale = async (clients: Clients, { ref, input, claim }: Scaling): Promise<ScaleResult> => {
  const { ecs, scaling } = clients
  const count = input.desired_count
  const { service, target, bounds } = await readNow(clients, ref, input)
  requireExpected(input.expected, scaleFacts(describeService(ref, { service, target, containers: null })))
  requireScalable(service)
  const action = planScaling(bounds, input)
  claim.requireHeld()
  const requested = new Date()
  const changesBounds = action === 'suspended' || action === 'bounds_changed'
  if (bounds && changesBounds) await changeBounds(scaling, ref, { bounds, action, count })
  const changed = service.desiredCount !== count
  const now = changed ? await setCount(ecs, ref, count).catch(failAfter(action)) : service
  const after = await readBack(scaling, ref, bounds, action, count)
  return {
    service_id: makeId(ref.account.id, ref.region, ref.cluster, ref.service),
    previous_count: service.desiredCount ?? 0,
    desired_count: now?.desiredCount ?? count,
    running_count: now?.runningCount ?? service.runningCount ?? 0,
    pending_count: now?.pendingCount ?? service.pendingCount ?? 0,
    changed: changed || changesBounds,
    autoscaling: after.bounds && { min: after.bounds.min, max: after.bounds.max, action },
    warnings: [...warningsOf(service, bounds, action, count), ...after.notes],
    requested_at: requested
  }
}

/** Where the input may change the bounds, the session is allowed to do that on their own ARN, which AWS has. */
const findBoundsStatements = async ({ aws }: ActingDeps, ref: ServiceRef, { autoscaling }: ScaleService):
Promise<Statement[]> => {
  if (autoscaling !== 'suspend' && autoscaling !== 'adjust') return []
  const target = await aws.session(ref, readsOf(ref), async (open) =>
    readTarget(await open('autoscaling'), ref))
  return target ? [boundsStatement(ref, target)] : []
}

/**
 * Sets how many tasks a service runs. A changed count starts no deployment.
 * @throws cloud_account_read_only, service_not_found, state_changed, target_busy, autoscaling_conflict, not_scalable,
 * and what AWS answers
 */
export const scaleService = async (deps: ActingDeps, ref: ServiceRef, input: ScaleService): Promise<ScaleResult> => {
  requireWritable(ref.account)
  try {
    return await withTarget(deps, targetOfService(ref, ref), async (claim) => {
      const allowed = [...readsOf(ref), ...updateStatements(ref, ref), ...await findBoundsStatements(deps, ref, input)]
      return deps.aws.session(ref, allowed, async (open) =>
        readAndScale(await openBoth(open), { ref, input, claim }))
    })
  } finally {
    deps.aws.inventory.forget(servicesKey(ref, ref.cluster))
    deps.aws.inventory.forget(keyFor(ref, 'clusters'))
  }
}
