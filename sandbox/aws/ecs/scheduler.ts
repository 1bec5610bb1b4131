import { nameTasks, say } from './events.js'
import { complete, primaryOf, recordFailure } from './rollout.js'
import type { ServicePlace } from './lookup.js'
import type { DeploymentState, TaskState } from './state.js'
import { advance, isAlive, isForgotten, launch, stop } from './tasks.js'

/** Brings a service up to now and plans when to look again. */
export function wake (place: ServicePlace): void {
  for (const task of [...place.service.tasks]) {
    if (advance(place, task)) recordFailure(place, task)
    else if (task.healthy) clearFailures(place, task)
  }
  reconcile(place)
  forget(place)
  plan(place)
}

function reconcile (place: ServicePlace): void {
  const { service } = place
  if (service.status === 'INACTIVE') return
  const primary = primaryOf(service)
  const alive = service.tasks.filter(isAlive)
  const own = alive.filter((task) => task.deploymentId === primary.id)
  const old = alive.filter((task) => task.deploymentId !== primary.id)
  startMissing(place, primary, own.length, alive.length)
  const surplus = own.slice(service.desiredCount)
  const replaced = primary.rolloutState === 'FAILED' ? [] : replaceable(place, old, own)
  stopAll(place, primary, [...surplus, ...replaced])
  settle(place, primary)
}

function startMissing (place: ServicePlace, primary: DeploymentState, own: number, alive: number): void {
  const { service, world } = place
  if (primary.rolloutState === 'FAILED' || world.clock.now() < primary.retryAt) return
  const count = Math.min(service.desiredCount - own, ceiling(place) - alive)
  if (count <= 0) return
  const started = Array.from({ length: count }, () => launch(place, primary))
  service.steady = false
  say(place, `has started ${count} tasks: ${nameTasks(started)}.`)
}

/** The old tasks that may go now without falling below the minimum: the sick ones first. */
function replaceable (place: ServicePlace, old: TaskState[], own: TaskState[]): TaskState[] {
  const healthyOld = old.filter((task) => task.healthy)
  const sick = old.filter((task) => !task.healthy)
  const healthy = healthyOld.length + own.filter((task) => task.healthy).length
  return [...sick, ...healthyOld.slice(0, Math.max(0, healthy - floor(place)))]
}

function stopAll (place: ServicePlace, primary: DeploymentState, tasks: TaskState[]): void {
  if (tasks.length === 0) return
  for (const task of tasks) stop(place, task, `Scaling activity initiated by (deployment ${primary.id})`)
  place.service.steady = false
  say(place, `has stopped ${tasks.length} running tasks: ${nameTasks(tasks)}.`)
}

function settle (place: ServicePlace, primary: DeploymentState): void {
  const { service } = place
  const left = service.tasks.filter((task) => task.wire.lastStatus !== 'STOPPED')
  const ready = left.filter((task) => task.deploymentId === primary.id && isAlive(task) && task.healthy)
  if (ready.length !== service.desiredCount || left.length !== ready.length) return
  if (primary.rolloutState === 'IN_PROGRESS') complete(place, primary)
  if (service.steady) return
  service.steady = true
  say(place, 'has reached a steady state.')
}

/** `failedTasks` tells consecutive failures: one healthy task sets it to 0, so a crash loop shows none. */
function clearFailures (place: ServicePlace, task: TaskState): void {
  const deployment = place.service.deployments.find((one) => one.id === task.deploymentId)
  if (deployment && deployment.rolloutState !== 'FAILED') deployment.failedTasks = 0
}

function forget (place: ServicePlace): void {
  const now = place.world.clock.now()
  const busy = new Set(place.service.tasks.filter((task) => task.steps.length > 0 || isAlive(task))
    .map((task) => task.deploymentId))
  place.service.deployments = place.service.deployments
    .filter((one) => one.primary || one.rolloutState === 'FAILED' || busy.has(one.id))
  if (place.service.tasks.some((task) => isForgotten(task, now))) {
    place.service.tasks = place.service.tasks.filter((task) => !isForgotten(task, now))
  }
}

function plan (place: ServicePlace): void {
  const { service, world } = place
  const times = service.tasks.flatMap((task) => task.steps[0]?.at ?? [])
  const { retryAt } = primaryOf(service)
  if (retryAt > world.clock.now()) times.push(retryAt)
  const next = times.length > 0 ? Math.min(...times) : undefined
  if (next === undefined || service.wakeAt === next) return
  service.wakeAt = next
  world.clock.at(next, () => {
    if (service.wakeAt !== next) return
    service.wakeAt = undefined
    wake(place)
  })
}

function ceiling ({ service }: ServicePlace): number {
  if (service.scheduling === 'DAEMON') return service.desiredCount
  return Math.floor(service.desiredCount * (service.configuration.maximumPercent ?? 200) / 100)
}

function floor ({ service }: ServicePlace): number {
  return Math.ceil(service.desiredCount * (service.configuration.minimumHealthyPercent ?? 100) / 100)
}
