import type { Container } from '@aws-sdk/client-ecs'
import { createHash } from 'node:crypto'
import { seconds, type Wire } from '../core/wire.js'
import { containersOf, type ContainerSketch } from './containers.js'
import { endingNow, FAILURES, TIMELINES, type Ending } from './endings.js'
import { ecsArn, findTaskDefinition, type ServiceContext } from './lookup.js'
import type { DeploymentState, TaskState } from './state.js'
import { closeStreams, openStreams } from './task-logs.js'

const DRAIN_MS = 1000
const KEPT_MS = 3_600_000

/** Starts a task of a deployment; the image's tag determines its steps. */
export function launch (context: ServiceContext, deployment: DeploymentState): TaskState {
  const { world, region, service } = context
  const now = world.clock.now()
  const id = world.ids.hex(32)
  const definition = findTaskDefinition(region, deployment.taskDefinition)
  const containers = definition ? containersOf(definition) : []
  const ending = containers.map((one) => endingNow(world, one.image)).find((one) => one !== 'ok') ?? 'ok'
  const task: TaskState = {
    id,
    deploymentId: deployment.id,
    ending,
    healthy: false,
    steps: TIMELINES[ending].map(([after, step]) => ({ at: now + after, step })),
    streams: [],
    wire: newTask(context, deployment, id, containers)
  }
  service.tasks.push(task)
  return task
}

/** Carries out the due steps of a task. Returns true if the task failed by itself. */
export function advance (context: ServiceContext, task: TaskState): boolean {
  const now = context.world.clock.now()
  let failed = false
  while (task.steps[0] && task.steps[0].at <= now) {
    const { step } = task.steps.shift()!
    if (step === 'exit') failed = true
    act[step](context, task)
  }
  return failed
}

/** Stops a task, which ends a moment later. */
export function stop (context: ServiceContext, task: TaskState, reason: string): void {
  const now = context.world.clock.now()
  task.healthy = false
  task.steps = [{ at: now + DRAIN_MS, step: 'stopped' }]
  Object.assign(task.wire, {
    desiredStatus: 'STOPPED',
    lastStatus: 'DEACTIVATING',
    stopCode: 'ServiceSchedulerInitiated',
    stoppedReason: reason,
    stoppingAt: seconds(now)
  })
}

/** True for a task that is neither stopped nor stopping. */
export function isAlive (task: TaskState): boolean {
  return task.wire.desiredStatus === 'RUNNING'
}

/** ECS lists a stopped task for an hour. */
export function isForgotten (task: TaskState, now: number): boolean {
  return task.wire.stoppedAt !== undefined && task.wire.stoppedAt * 1000 + KEPT_MS < now
}

/** A digest for an image; the same image has the same digest. */
export function digestOf (image: string): string {
  return /@(sha256:[0-9a-f]{64})$/.exec(image)?.[1] ?? `sha256:${createHash('sha256').update(image).digest('hex')}`
}

const act: Record<TaskState['steps'][number]['step'], (context: ServiceContext, task: TaskState) => void> = {
  pending: (_, task) => { setStatus(task, 'PENDING') },
  running: (context, task) => {
    setStatus(task, 'RUNNING')
    const at = seconds(context.world.clock.now())
    Object.assign(task.wire, { startedAt: at, pullStoppedAt: at, connectivity: 'CONNECTED', connectivityAt: at })
    openStreams(context, task)
  },
  healthy: (_, task) => {
    task.healthy = true
    setHealth(task, 'HEALTHY')
  },
  unhealthy: (_, task) => { setHealth(task, 'UNHEALTHY') },
  exit: (context, task) => { fail(context, task, task.ending) },
  stopped: (context, task) => { finish(context, task) }
}

function fail (context: ServiceContext, task: TaskState, ending: Ending): void {
  const failure = FAILURES[ending]
  const image = task.wire.containers?.find((one) => endingNow(context.world, one.image ?? '') === ending)?.image ?? ''
  task.wire.stopCode = failure.stopCode
  task.wire.stoppedReason = failure.stoppedReason(image)
  if (ending === 'crash') openStreams(context, task)
  for (const container of task.wire.containers ?? []) {
    if (endingNow(context.world, container.image ?? '') !== ending) continue
    if (failure.exitCode !== undefined) container.exitCode = failure.exitCode
    if (failure.containerReason) container.reason = failure.containerReason(image)
  }
  finish(context, task, failure.lastWords)
}

function finish (context: ServiceContext, task: TaskState, lastWords: string[] = ['received SIGTERM, draining']): void {
  const now = context.world.clock.now()
  task.healthy = false
  task.steps = []
  setStatus(task, 'STOPPED')
  task.wire.desiredStatus = 'STOPPED'
  task.wire.stoppedAt = seconds(now)
  task.wire.executionStoppedAt = seconds(now)
  task.wire.stoppingAt ??= seconds(now)
  for (const container of task.wire.containers ?? []) {
    if (task.ending !== 'nopull') container.exitCode ??= 0
  }
  closeStreams(context, task, lastWords)
}

function setStatus (task: TaskState, status: string): void {
  task.wire.lastStatus = status
  for (const container of task.wire.containers ?? []) {
    container.lastStatus = status === 'PROVISIONING' ? 'PENDING' : status
  }
}

function setHealth (task: TaskState, health: 'HEALTHY' | 'UNHEALTHY'): void {
  const checked = task.wire.containers?.filter((one) => one.healthStatus !== undefined) ?? []
  for (const container of checked) container.healthStatus = health
  if (checked.length > 0) task.wire.healthStatus = health
}

function newTask (
  context: ServiceContext, deployment: DeploymentState, id: string, containers: ContainerSketch[]
): TaskState['wire'] {
  const { world, region, cluster, service } = context
  const now = seconds(world.clock.now())
  const arn = ecsArn(region, `task/${cluster.name}/${id}`)
  return {
    taskArn: arn,
    clusterArn: cluster.arn,
    taskDefinitionArn: deployment.taskDefinition,
    group: `service:${service.name}`,
    startedBy: deployment.id,
    launchType: service.launchType,
    platformVersion: service.launchType === 'FARGATE' ? '1.4.0' : undefined,
    platformFamily: service.launchType === 'FARGATE' ? 'Linux' : undefined,
    availabilityZone: region.name + 'abc'.charAt(service.tasks.length % 3),
    lastStatus: 'PROVISIONING',
    desiredStatus: 'RUNNING',
    healthStatus: 'UNKNOWN',
    createdAt: now,
    pullStartedAt: now,
    containers: containers.map((one) => newContainer(context, arn, one)),
    version: 1,
    tags: []
  }
}

function newContainer (context: ServiceContext, taskArn: string, sketch: ContainerSketch): Wire<Container> {
  const { ids } = context.world
  return {
    containerArn: taskArn.replace(':task/', ':container/') + `/${ids.uuid()}`,
    taskArn,
    name: sketch.name,
    image: sketch.image,
    imageDigest: endingNow(context.world, sketch.image) === 'nopull' ? undefined : digestOf(sketch.image),
    runtimeId: `${ids.hex(32)}-${ids.digits(10)}`,
    lastStatus: 'PENDING',
    networkInterfaces: [{ privateIpv4Address: addressOf(taskArn) }],
    ...(sketch.hasHealthCheck ? { healthStatus: 'UNKNOWN' as const } : {})
  }
}

/** An address of the private network, the same for all containers of a task. */
function addressOf (taskArn: string): string {
  const id = taskArn.slice(taskArn.lastIndexOf('/') + 1)
  return `10.0.${parseInt(id.slice(0, 2), 16) % 16}.${4 + parseInt(id.slice(2, 4), 16) % 248}`
}
