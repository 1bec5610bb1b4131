import { addEvent, nameTasks } from './events.js'
import { complete, primaryOf, recordFailure } from './rollout.js'
import type { ServiceContext } from './lookup.js'
import type { DeploymentState, TaskState } from './state.js'
import { advance, isAlive, isForgotten, launch, stop } from './tasks.js'

/** Brings a service up to the current time, and schedules its next step. */
export function wake (context: ServiceContext): void {
  for (const task of [...context.service.tasks]) {
    if (advance(context, task)) recordFailure(context, task)
    else if (task.healthy) clearFailures(context, task)
  }
  reconcile(context)
  forget(context)
  plan(context)
}

function reconcile (context: ServiceContext): void {
  const { service } = context
  if (service.status === 'INACTIVE') return
  const primary = primaryOf(service)
  const alive = service.tasks.filter(isAlive)
  const own = alive.filter((task) => task.deploymentId === primary.id)
  const old = alive.filter((task) => task.deploymentId !== primary.id)
  startMissing(context, primary, own.length, alive.length)
  const surplus = own.slice(service.desiredCount)
  const replaced = primary.rolloutState === 'FAILED' ? [] : replaceable(context, old, own)
  stopAll(context, primary, [...surplus, ...replaced])
  settle(context, primary)
}

function startMissing (context: ServiceContext, primary: DeploymentState, own: number, alive: number): void {
  const { service, world } = context
  if (primary.rolloutState === 'FAILED' || world.clock.now() < primary.retryAt) return
  const count = Math.min(service.desiredCount - own, ceiling(context) - alive)
  if (count <= 0) return
  const started = Array.from({ length: count }, () => launch(context, primary))
  service.steady = false
  addEvent(context, `has started ${count} tasks: ${nameTasks(started)}.`)
}

/** The old tasks that may stop without falling below the minimum, unhealthy ones first. */
function replaceable (context: ServiceContext, old: TaskState[], own: TaskState[]): TaskState[] {
  const healthyOld = old.filter((task) => task.healthy)
  const sick = old.filter((task) => !task.healthy)
  const healthy = healthyOld.length + own.filter((task) => task.healthy).length
  return [...sick, ...healthyOld.slice(0, Math.max(0, healthy - floor(context)))]
}

function stopAll (context: ServiceContext, primary: DeploymentState, tasks: TaskState[]): void {
  if (tasks.length === 0) return
  for (const task of tasks) stop(context, task, `Scaling activity initiated by (deployment ${primary.id})`)
  context.service.steady = false
  addEvent(context, `has stopped ${tasks.length} running tasks: ${nameTasks(tasks)}.`)
}

function settle (context: ServiceContext, primary: DeploymentState): void {
  const { service } = context
  const left = service.tasks.filter((task) => task.wire.lastStatus !== 'STOPPED')
  const ready = left.filter((task) => task.deploymentId === primary.id && isAlive(task) && task.healthy)
  if (ready.length !== service.desiredCount || left.length !== ready.length) return
  if (primary.rolloutState === 'IN_PROGRESS') complete(context, primary)
  if (service.steady) return
  service.steady = true
  addEvent(context, 'has reached a steady state.')
}

/** `failedTasks` counts consecutive failures: one healthy task sets it to 0, so a crash loop shows none. */
function clearFailures (context: ServiceContext, task: TaskState): void {
  const deployment = context.service.deployments.find((one) => one.id === task.deploymentId)
  if (deployment && deployment.rolloutState !== 'FAILED') deployment.failedTasks = 0
}

/** So many runs of forgotten tasks are enough for a day of a crash loop. */
const KEPT_SPANS = 1000

function forget (context: ServiceContext): void {
  const now = context.world.clock.now()
  const busy = new Set(context.service.tasks.filter((task) => task.steps.length > 0 || isAlive(task))
    .map((task) => task.deploymentId))
  context.service.deployments = context.service.deployments
    .filter((one) => one.primary || one.rolloutState === 'FAILED' || busy.has(one.id))
  const { service } = context
  const forgotten = service.tasks.filter((task) => isForgotten(task, now))
  if (forgotten.length === 0) return
  service.tasks = service.tasks.filter((task) => !forgotten.includes(task))
  const spans = forgotten.flatMap(({ wire: { startedAt, stoppedAt } }) => startedAt === undefined || stoppedAt === undefined
    ? []
    : [{ from: startedAt * 1000, until: stoppedAt * 1000 }])
  service.past = [...service.past, ...spans].slice(-KEPT_SPANS)
}

function plan (context: ServiceContext): void {
  const { service, world } = context
  const times = service.tasks.flatMap((task) => task.steps[0]?.at ?? [])
  const { retryAt } = primaryOf(service)
  if (retryAt > world.clock.now()) times.push(retryAt)
  const next = times.length > 0 ? Math.min(...times) : undefined
  if (next === undefined || service.wakeAt === next) return
  service.wakeAt = next
  world.clock.at(next, () => {
    if (service.wakeAt !== next) return
    service.wakeAt = undefined
    wake(context)
  })
}

function ceiling ({ service }: ServiceContext): number {
  if (service.scheduling === 'DAEMON') return service.desiredCount
  return Math.floor(service.desiredCount * (service.configuration.maximumPercent ?? 200) / 100)
}

function floor ({ service }: ServiceContext): number {
  return Math.ceil(service.desiredCount * (service.configuration.minimumHealthyPercent ?? 100) / 100)
}
