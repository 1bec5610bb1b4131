import { Worker } from 'node:worker_threads'
import type { ThreadAnswer, ThreadTask } from './serve-tasks.js'

export interface ThreadOptions {
  /** The script of the thread, which serves its operations by `serveTasks`. */
  script: URL
  maxHeapMb: number
  /** @returns ms that a task may take, by the characters of its arguments; without it, as long as it takes */
  limitMs?: (chars: number) => number
  /** How long a task waits for its turn, in ms. */
  maxWaitMs?: number
  /** Errors of a task that takes too long, too much memory or too deep a stack, and of one that waited too long. */
  tooComplex: () => Error
  overloaded?: () => Error
}

interface Task extends ThreadTask {
  timeoutMs: number | undefined
  queuedAt: number
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (value === null || typeof value !== 'object') return 0
  return Object.values(value).reduce<number>((sum, child) => sum + sizeOf(child), 0)
}

/**
 * A thread that runs operations on copies of their arguments, one after the other: a text that takes long stops this
 * thread and nothing else. It starts when it is first needed, and keeps no process alive that has nothing else to do.
 */
export class TaskThread<Operations extends Record<string, (...args: never[]) => unknown>> {
  #worker: Worker | undefined
  #isReady = false
  #timer: NodeJS.Timeout | undefined
  #current: Task | undefined
  readonly #queue: Task[] = []

  constructor (private readonly options: ThreadOptions) {}

  async run<N extends keyof Operations & string> (name: N, ...args: Parameters<Operations[N]>):
  Promise<ReturnType<Operations[N]>> {
    const result = await new Promise((resolve, reject) => {
      const timeoutMs = this.options.limitMs?.(sizeOf(args))
      this.#queue.push({ name, args, timeoutMs, queuedAt: Date.now(), resolve, reject })
      this.#next()
    })
    // The thread answers with what the operation of that name returned.
    return result as ReturnType<Operations[N]>
  }

  #start (): Worker {
    const { script, maxHeapMb } = this.options
    const worker = new Worker(script, { env: {}, resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } })
    worker.on('message', (answer: ThreadAnswer) => this.#take(answer))
    worker.on('error', (error: NodeJS.ErrnoException) => this.#end(worker, error))
    worker.on('exit', () => this.#end(worker, new Error('The thread has ended')))
    return worker
  }

  #next (): void {
    if (this.#current || this.#queue.length === 0) return
    this.#worker ??= this.#start()
    this.#worker.ref()
    if (!this.#isReady) return
    const task = this.#queue.shift()
    if (!task) return
    const { maxWaitMs = Infinity, overloaded } = this.options
    if (overloaded && Date.now() - task.queuedAt > maxWaitMs) {
      task.reject(overloaded())
      return this.#next()
    }
    this.#current = task
    const { name, args, timeoutMs } = task
    if (timeoutMs !== undefined) this.#timer = setTimeout(() => this.#stop(this.options.tooComplex()), timeoutMs)
    this.#worker.postMessage({ name, args } satisfies ThreadTask)
  }

  #take (answer: ThreadAnswer): void {
    if ('isReady' in answer) {
      this.#isReady = true
      return this.#next()
    }
    clearTimeout(this.#timer)
    const task = this.#current
    this.#current = undefined
    if ('result' in answer) task?.resolve(answer.result)
    else task?.reject(answer.tooDeep ? this.options.tooComplex() : new Error(answer.failure))
    this.#worker?.unref()
    this.#next()
  }

  /** A worker that ends by itself: its heap is full, or it could not be loaded. */
  #end (worker: Worker, error: NodeJS.ErrnoException): void {
    if (worker !== this.#worker) return
    this.#stop(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? this.options.tooComplex() : error)
  }

  /** Ends the worker and its task; the next task gets another worker. */
  #stop (error: Error): void {
    clearTimeout(this.#timer)
    const [worker, task, isReady] = [this.#worker, this.#current, this.#isReady]
    this.#worker = undefined
    this.#current = undefined
    this.#isReady = false
    void worker?.terminate()
    task?.reject(error)
    // A worker that cannot be loaded would be started for ever.
    if (!isReady) for (const waiting of this.#queue.splice(0)) waiting.reject(error)
    this.#next()
  }
}
