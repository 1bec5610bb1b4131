import type { TaskStopCode } from '@aws-sdk/client-ecs'
import type { World } from '../core/world.js'
import type { Step } from './state.js'

/** How a task ends. The image's tag selects it: `web:2.1-oom` is killed, and `web:2.1` simply runs. */
export type Ending = 'ok' | 'slow' | 'crash' | 'crashloop' | 'oom' | 'nopull' | 'unhealthy'

export interface Failure {
  stopCode: TaskStopCode
  stoppedReason: (image: string) => string
  containerReason?: (image: string) => string
  exitCode?: number
  /** The last log lines of the container. */
  lastWords: string[]
}

const ENDINGS: Ending[] = ['slow', 'crash', 'crashloop', 'oom', 'nopull', 'unhealthy']

/** The ending that a tag names: the whole tag, or its last part after a dash. */
export function endingOf (image: string): Ending {
  const tag = /:([\w.-]+)(@sha256:\w+)?$/.exec(image)?.[1] ?? 'latest'
  const last = tag.split('-').at(-1)
  return ENDINGS.find((ending) => ending === last) ?? 'ok'
}

/** Whether the registry has the image: all but what was deleted, and what says `missing` in place of an ending. */
export function isInRegistry ({ missingImages }: World, image: string): boolean {
  return !missingImages.has(image) && !/[:-]missing(@sha256:\w+)?$/.test(image)
}

/** The current ending of an image: what the registry does not have cannot be pulled, whatever its tag. */
export function endingNow (world: World, image: string): Ending {
  const digest = /@(sha256:[0-9a-f]{64})$/.exec(image)?.[1]
  return isInRegistry(world, image) ? endingOf(world.tagsOfDigests.get(digest ?? '') ?? image) : 'nopull'
}

/** Milliseconds after the launch. */
export const TIMELINES: Record<Ending, [number, Step][]> = {
  ok: [[500, 'pending'], [1500, 'running'], [3000, 'healthy']],
  slow: [[500, 'pending'], [30_000, 'running'], [32_000, 'healthy']],
  crash: [[500, 'pending'], [2000, 'exit']],
  crashloop: [[500, 'pending'], [1500, 'running'], [3000, 'healthy'], [20_000, 'exit']],
  oom: [[500, 'pending'], [1500, 'running'], [2500, 'exit']],
  nopull: [[500, 'pending'], [2000, 'exit']],
  unhealthy: [[500, 'pending'], [1500, 'running'], [3500, 'unhealthy'], [4500, 'exit']]
}

const CRASH: Failure = {
  stopCode: 'EssentialContainerExited',
  stoppedReason: () => 'Essential container in task exited',
  exitCode: 1,
  lastWords: [
    'Error: connect ECONNREFUSED 10.0.12.7:5432',
    '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)',
    'database is not reachable, giving up'
  ]
}

export const FAILURES: Record<Ending, Failure> = {
  ok: CRASH,
  slow: CRASH,
  crash: CRASH,
  crashloop: CRASH,
  oom: {
    stopCode: 'EssentialContainerExited',
    stoppedReason: () => 'OutOfMemoryError: Container killed due to memory usage',
    containerReason: () => 'OutOfMemoryError: Container killed due to memory usage',
    exitCode: 137,
    lastWords: ['warn: heap is at 98 % of its limit', 'FATAL ERROR: JavaScript heap out of memory']
  },
  nopull: {
    stopCode: 'TaskFailedToStart',
    stoppedReason: (image) => `CannotPullContainerError: ${pullError(image)}`,
    containerReason: (image) => `CannotPullContainerError: ${pullError(image)}`,
    lastWords: []
  },
  unhealthy: {
    stopCode: 'ServiceSchedulerInitiated',
    stoppedReason: () => 'Task failed container health checks',
    exitCode: 137,
    lastWords: ['error: GET /health answered 503: migrations are pending']
  }
}

function pullError (image: string): string {
  return `pull image manifest has been retried 1 time(s): failed to resolve ref ${image}: ${image}: not found`
}
