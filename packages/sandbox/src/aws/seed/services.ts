import { seconds } from '../core/wire.js'
import { newCluster } from '../ecs/clusters.js'
import { newService, type ServiceInput } from '../ecs/create-service.js'
import type { ServiceContext } from '../ecs/lookup.js'
import { complete, deploy, recordFailure } from '../ecs/rollout.js'
import { wake } from '../ecs/scheduler.js'
import type { ClusterState, DeploymentState, TaskState } from '../ecs/state.js'
import { advance, launch } from '../ecs/tasks.js'
import { regionOf, type Account, type Region, type World } from '../core/world.js'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export interface Site {
  world: World
  account: Account
  region: Region
  cluster: ClusterState
}

/** A cluster for services. */
export function addCluster (
  world: World,
  account: Account,
  regionName: string,
  name: string,
  more: Partial<ClusterState> = {}
): Site {
  const region = regionOf(account, regionName)
  const cluster = { ...newCluster(region, name), ...more }
  region.ecs.clusters.set(name, cluster)
  return { world, account, region, cluster }
}

/** A service that has run its last revision for a while, after deployments of the earlier ones. */
export function addService (site: Site, input: ServiceInput, revisions: string[], ageMs = 3 * DAY): ServiceContext {
  const context = createService(site, input, ageMs + revisions.length * 9 * DAY)
  revisions.forEach((arn, index) => {
    const deployment = deploy(context, arn)
    complete(context, deployment)
    backdate(context, deployment, ageMs + (revisions.length - 1 - index) * 9 * DAY)
  })
  const deployment = context.service.deployments[0]!
  for (let i = 0; i < context.service.desiredCount; i++) {
    shift(context, finishAtOnce(context, launch(context, deployment)), ageMs)
  }
  context.service.steady = true
  context.service.events = steadyEvents(context)
  wake(context)
  return context
}

/** A service whose newest revision never starts. */
export function addFailingService (
  site: Site,
  input: ServiceInput,
  revisions: string[],
  failures: number
): ServiceContext {
  const context = createService(site, input, 40 * DAY)
  for (const arn of revisions.slice(0, -1)) {
    const earlier = deploy(context, arn)
    complete(context, earlier)
    backdate(context, earlier, 20 * DAY)
  }
  const deployment = deploy(context, revisions.at(-1)!)
  for (let i = failures; i > 0; i--) {
    const task = finishAtOnce(context, launch(context, deployment))
    recordFailure(context, task)
    shift(context, task, i * 4 * MINUTE)
  }
  context.service.events.forEach((event, index) => {
    event.createdAt! -= index * 20 * 60
  })
  deployment.createdAt -= failures * 4 * MINUTE
  wake(context)
  return context
}

function createService (site: Site, input: ServiceInput, ageMs: number): ServiceContext {
  const service = newService(site, input, `arn:aws:iam::${site.account.id}:role/terraform`)
  service.createdAt -= ageMs
  site.cluster.services.set(service.name, service)
  return { ...site, service }
}

function finishAtOnce (context: ServiceContext, task: TaskState): TaskState {
  const now = context.world.clock.now()
  task.steps = task.steps.map(({ step }) => ({ at: now, step }))
  advance(context, task)
  return task
}

/** Moves a deployment and its record into the past. */
function backdate (context: ServiceContext, deployment: DeploymentState, ageMs: number): void {
  const at = context.world.clock.now() - ageMs
  deployment.createdAt = at
  deployment.updatedAt = at + 3 * MINUTE
  deployment.retryAt = 0
  const record = context.service.serviceDeployments[0]!
  Object.assign(record, {
    createdAt: at,
    startedAt: at + 2000,
    finishedAt: at + 3 * MINUTE,
    updatedAt: at + 3 * MINUTE
  })
  context.service.revisions[0]!.createdAt = at
}

/** Moves a task and its log lines into the past. */
function shift (context: ServiceContext, { wire, streams }: TaskState, ageMs: number): void {
  for (const key of [
    'createdAt',
    'pullStartedAt',
    'pullStoppedAt',
    'connectivityAt',
    'startedAt',
    'stoppingAt',
    'executionStoppedAt',
    'stoppedAt'
  ] as const) {
    if (wire[key] !== undefined) wire[key] -= seconds(ageMs)
  }
  for (const { region, group, stream } of streams) {
    const state = regionOf(context.account, region).logGroups.get(group)?.streams.get(stream)
    if (!state) continue
    state.createdAt -= ageMs
    for (const line of state.lines) line.at -= ageMs
    if (!state.chatter) continue
    state.chatter.from -= ageMs
    if (state.chatter.until !== undefined) state.chatter.until -= ageMs
  }
}

function steadyEvents ({ world, service }: ServiceContext) {
  return Array.from({ length: 8 }, (_, index) => ({
    id: world.ids.uuid(),
    createdAt: seconds(world.clock.now() - index * 6 * HOUR - 20 * MINUTE),
    message: `(service ${service.name}) has reached a steady state.`
  }))
}
