import { seconds } from '../core/wire.js'
import { newCluster } from '../ecs/clusters.js'
import { newService, type ServiceWish } from '../ecs/create-service.js'
import type { ServicePlace } from '../ecs/lookup.js'
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

/** A cluster to put services into. */
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
export function addService (site: Site, wish: ServiceWish, revisions: string[], ageMs = 3 * DAY): ServicePlace {
  const place = makePlace(site, wish, ageMs + revisions.length * 9 * DAY)
  revisions.forEach((arn, index) => {
    const deployment = deploy(place, arn)
    complete(place, deployment)
    backdate(place, deployment, ageMs + (revisions.length - 1 - index) * 9 * DAY)
  })
  const deployment = place.service.deployments[0]!
  for (let i = 0; i < place.service.desiredCount; i++) {
    shift(place, finishAtOnce(place, launch(place, deployment)), ageMs)
  }
  place.service.steady = true
  place.service.events = steadyEvents(place)
  wake(place)
  return place
}

/** A service whose newest revision does not come up, however often it is tried. */
export function addFailingService (
  site: Site,
  wish: ServiceWish,
  revisions: string[],
  failures: number
): ServicePlace {
  const place = makePlace(site, wish, 40 * DAY)
  for (const arn of revisions.slice(0, -1)) {
    const earlier = deploy(place, arn)
    complete(place, earlier)
    backdate(place, earlier, 20 * DAY)
  }
  const deployment = deploy(place, revisions.at(-1)!)
  for (let i = failures; i > 0; i--) {
    const task = finishAtOnce(place, launch(place, deployment))
    recordFailure(place, task)
    shift(place, task, i * 4 * MINUTE)
  }
  place.service.events.forEach((event, index) => {
    event.createdAt! -= index * 20 * 60
  })
  deployment.createdAt -= failures * 4 * MINUTE
  wake(place)
  return place
}

function makePlace (site: Site, wish: ServiceWish, ageMs: number): ServicePlace {
  const service = newService(site, wish, `arn:aws:iam::${site.account.id}:role/terraform`)
  service.createdAt -= ageMs
  site.cluster.services.set(service.name, service)
  return { ...site, service }
}

function finishAtOnce (place: ServicePlace, task: TaskState): TaskState {
  const now = place.world.clock.now()
  task.steps = task.steps.map(({ step }) => ({ at: now, step }))
  advance(place, task)
  return task
}

/** Moves a deployment and its record into the past. */
function backdate (place: ServicePlace, deployment: DeploymentState, ageMs: number): void {
  const at = place.world.clock.now() - ageMs
  deployment.createdAt = at
  deployment.updatedAt = at + 3 * MINUTE
  deployment.retryAt = 0
  const record = place.service.serviceDeployments[0]!
  Object.assign(record, {
    createdAt: at,
    startedAt: at + 2000,
    finishedAt: at + 3 * MINUTE,
    updatedAt: at + 3 * MINUTE
  })
  place.service.revisions[0]!.createdAt = at
}

/** Moves a task and what it wrote into the past. */
function shift (place: ServicePlace, { wire, streams }: TaskState, ageMs: number): void {
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
    const state = regionOf(place.account, region).logGroups.get(group)?.streams.get(stream)
    if (!state) continue
    state.createdAt -= ageMs
    for (const line of state.lines) line.at -= ageMs
    if (!state.chatter) continue
    state.chatter.from -= ageMs
    if (state.chatter.until !== undefined) state.chatter.until -= ageMs
  }
}

function steadyEvents ({ world, service }: ServicePlace) {
  return Array.from({ length: 8 }, (_, index) => ({
    id: world.ids.uuid(),
    createdAt: seconds(world.clock.now() - index * 6 * HOUR - 20 * MINUTE),
    message: `(service ${service.name}) has reached a steady state.`
  }))
}
