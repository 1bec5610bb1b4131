import { writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { messageOf } from '../../schemas/unknown.js'

/** `cpuMs` is how much processor time it may take; without it, as much as it takes. */
export interface Task { name: string, args: unknown[], cpuMs: number | undefined }

/** `failure` is the message of an error; `tooDeep` is true when the input exhausted the stack. */
export type TaskAnswer = { isReady: true } | { result: unknown } | { failure: string, tooDeep: boolean }

const answer = (message: TaskAnswer): void => { process.send?.(message) }

/** Ends this process when a task has used more of the processor's time than it may. @returns sets the time from now */
const startMeter = (): ((cpuMs: number | undefined) => void) => {
  const limit = new Int32Array(new SharedArrayBuffer(4))
  const meter = new Worker(new URL('./meter.js', import.meta.url), {
    workerData: limit, resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 }
  })
  meter.unref()
  return (cpuMs) => {
    const { user, system } = process.cpuUsage()
    Atomics.store(limit, 0, cpuMs === undefined ? 0 : Math.ceil((user + system) / 1_000 + cpuMs))
    Atomics.notify(limit, 0)
  }
}

export interface ServeOptions {
  /** Whether an operation that throws has broken what the next one would use: then the process ends. */
  endsOnThrow?: boolean
}

/** Runs in the child: does what its TaskProcess sends. @param operations pure functions of what can be cloned */
export const serveTasks = (operations: object, { endsOnThrow = false }: ServeOptions = {}): void => {
  // Where the system is short of memory, it ends this process first (Linux; elsewhere there is no such file).
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {}
  // A terminal and a service manager signal the parent's whole group: a task may end while the parent drains.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  process.once('disconnect', () => process.exit())
  const allow = startMeter()
  process.on('message', async (message) => {
    // The parent sends nothing else, and nothing until it is answered.
    const { name, args, cpuMs } = message as Task
    // The caller of TaskProcess types the arguments by the name.
    const operation = Reflect.get(operations, name) as (...args: unknown[]) => unknown
    allow(cpuMs)
    try {
      answer({ result: await operation(...args) })
    } catch (error) {
      if (endsOnThrow) process.exit(1)
      answer({ failure: messageOf(error), tooDeep: error instanceof RangeError })
    } finally {
      allow(undefined)
    }
  })
  answer({ isReady: true })
}
