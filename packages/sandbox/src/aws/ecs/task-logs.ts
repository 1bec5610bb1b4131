import { regionOf } from '../core/world.js'
import type { LogGroupState, LogStreamState } from '../logs/state.js'
import { containersOf, type ContainerSketch } from './containers.js'
import { findTaskDefinition, type ServiceContext } from './lookup.js'
import type { TaskState } from './state.js'

const LINE_EVERY_MS = 4000
/** A service that keeps failing opens a stream for every attempt. */
const STREAMS_KEPT = 500

/** Opens one log stream for each container that logs to CloudWatch, in a group that exists. */
export function openStreams (context: ServiceContext, task: TaskState): void {
  const definition = findTaskDefinition(context.region, task.wire.taskDefinitionArn ?? '')
  for (const container of definition ? containersOf(definition) : []) {
    if (!container.log) continue
    const { group: groupName, prefix, region = context.region.name } = container.log
    // Without a prefix the stream has the container's runtime id, as on EC2.
    const runtimeId = task.wire.containers?.find((one) => one.name === container.name)?.runtimeId ?? task.id
    const name = prefix === undefined ? runtimeId : `${prefix}/${container.name}/${task.id}`
    task.streams.push({ region, group: groupName, stream: name })
    const group = regionOf(context.account, region).logGroups.get(groupName)
    if (group) addStream(group, newStream(name, container, context.world.clock.now()))
  }
}

/** Ends the streams of a task with its last lines. */
export function closeStreams (context: ServiceContext, task: TaskState, lastWords: string[]): void {
  const now = context.world.clock.now()
  for (const { region, group, stream } of task.streams) {
    const state = regionOf(context.account, region).logGroups.get(group)?.streams.get(stream)
    if (!state) continue
    if (state.chatter) state.chatter.until = now
    // A container that fails at once never listens.
    state.lines = state.lines.filter((line) => line.at <= now)
    state.lines.push(...lastWords.map((message) => ({ at: now, message })))
  }
}

function newStream (name: string, container: ContainerSketch, now: number): LogStreamState {
  return {
    name,
    createdAt: now,
    lines: [
      { at: now, message: `starting ${container.name} (${container.image})` },
      { at: now + 400, message: 'listening on 0.0.0.0:8080' }
    ],
    chatter: { voice: container.name, everyMs: LINE_EVERY_MS, from: now + 1000, until: undefined }
  }
}

/** Removes the oldest ended stream. */
function addStream (group: LogGroupState, stream: LogStreamState): void {
  group.streams.set(stream.name, stream)
  if (group.streams.size <= STREAMS_KEPT) return
  const ended = [...group.streams.values()].find((one) => one.chatter?.until !== undefined)
  if (ended) group.streams.delete(ended.name)
}
