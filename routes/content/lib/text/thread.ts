import { Worker } from 'node:worker_threads'
import { Overloaded } from '../../../../schemas/errors.js'
import { TextTooComplex } from '../errors.js'
import type { Operations } from './operations.js'
import type { TextAnswer, TextTask } from './worker.js'

interface Task extends TextTask {
  timeoutMs: number
  queuedAt: number
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

/** The errors of reading a text. */
export const textErrors = [TextTooComplex, Overloaded]

const script = new URL('./worker.js', import.meta.url)
/** Twenty times the duration of ordinary prose: at most 15 s, for the longest body of a record. */
const baseMs = 3_000
const msPerChar = 0.06
const maxWaitMs = 20_000

const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (value === null || typeof value !== 'object') return 0
  return Object.values(value).reduce<number>((sum, child) => sum + sizeOf(child), 0)
}

const tooComplex = () =>
  TextTooComplex('Write it with fewer levels of quotations and lists, and fewer marks of emphasis')

/**
 * A thread that reads texts, one after the other. Markdown takes quadratic time for some texts: they block only this
 * thread, until the timeout for their size. The thread starts when it is first needed, and does not keep the process
 * alive.
 */
class TextThread {
  #worker: Worker | undefined
  #isReady = false
  #timer: NodeJS.Timeout | undefined
  #current: Task | undefined
  readonly #queue: Task[] = []

  run (name: keyof Operations, args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timeoutMs = baseMs + sizeOf(args) * msPerChar
      this.#queue.push({ name, args, timeoutMs, queuedAt: Date.now(), resolve, reject })
      this.#next()
    })
  }

  #start (): Worker {
    const worker = new Worker(script, { env: {}, resourceLimits: { maxOldGenerationSizeMb: 512 } })
    worker.on('message', (answer: TextAnswer) => this.#take(answer))
    worker.on('error', (error: NodeJS.ErrnoException) => this.#end(worker, error))
    worker.on('exit', () => this.#end(worker, new Error('The thread that reads texts has ended')))
    return worker
  }

  #next (): void {
    if (this.#current || this.#queue.length === 0) return
    this.#worker ??= this.#start()
    this.#worker.ref()
    if (!this.#isReady) return
    const task = this.#queue.shift()
    if (!task) return
    if (Date.now() - task.queuedAt > maxWaitMs) {
      task.reject(Overloaded('Too many texts are waiting to be read').withHeaders({ 'retry-after': '10' }))
      return this.#next()
    }
    this.#current = task
    this.#timer = setTimeout(() => this.#stop(tooComplex()), task.timeoutMs)
    this.#worker.postMessage({ name: task.name, args: task.args } satisfies TextTask)
  }

  #take (answer: TextAnswer): void {
    if ('isReady' in answer) {
      this.#isReady = true
      return this.#next()
    }
    clearTimeout(this.#timer)
    const task = this.#current
    this.#current = undefined
    if ('result' in answer) task?.resolve(answer.result)
    else task?.reject(answer.tooDeep ? tooComplex() : new Error(answer.failure))
    this.#worker?.unref()
    this.#next()
  }

  /** Handles a worker that ended by itself: its heap was full, or it could not be loaded. */
  #end (worker: Worker, error: NodeJS.ErrnoException): void {
    if (worker !== this.#worker) return
    this.#stop(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooComplex() : error)
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
    // A worker that cannot be loaded would be started again and again.
    if (!isReady) for (const waiting of this.#queue.splice(0)) waiting.reject(error)
    this.#next()
  }
}

const thread = new TextThread()

/**
 * Runs an operation on copies of its arguments.
 * @throws text_too_complex when it takes longer than a text of that size may, or is nested too deeply; overloaded
 */
export const readText = <N extends keyof Operations>(name: N, ...args: Parameters<Operations[N]>):
Promise<ReturnType<Operations[N]>> =>
  // The worker answers with the result of the operation of that name.
    thread.run(name, args) as Promise<ReturnType<Operations[N]>>
