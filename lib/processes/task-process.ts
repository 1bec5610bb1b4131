import { fork, type ChildProcess, type StdioOptions } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { TaskAnswer, Task } from './serve-tasks.js'

export interface TaskProcessOptions {
  /** The script of the process, which serves its operations by `serveTasks`. */
  script: URL
  maxHeapMb: number
  /**
   * @returns ms of the processor's time that a task may take, by the characters of its arguments; without it, as much
   *   as it takes. A busy machine slows a task down, but lets it do no more work
   */
  cpuMs?: (chars: number) => number
  /** How long a task waits for its turn, in ms. */
  maxWaitMs?: number
  /** The error of a task that takes too much work, too much memory or too deep a stack. */
  tooComplex: () => Error
  /** The error of a task that waited too long, or that the machine was too busy for. */
  overloaded?: () => Error
}

interface QueuedTask extends Task {
  queuedAt: number
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

/** A machine that gives a task less of its time than this share, for as long as the task may work, is overloaded. */
const leastShare = 0.1

const silent: StdioOptions = ['ignore', 'ignore', 'ignore', 'ipc']

const notStarted = () => new Error('The process for tasks could not be started')

const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (value === null || typeof value !== 'object') return 0
  if (ArrayBuffer.isView(value)) return value.byteLength
  return Object.values(value).reduce<number>((sum, child) => sum + sizeOf(child), 0)
}

/**
 * A process that runs operations on copies of their arguments, one after the other. A text that takes long holds up
 * this process and nothing else; one that takes all memory ends it, and nothing else. A thread would not do: V8 ends
 * the whole process when a thread's heap overflows at a bad moment, whatever its `resourceLimits` are.
 *
 * It starts when it is first needed, ends with its parent, and keeps no parent alive that has nothing else to do.
 */
export class TaskProcess<Operations extends Record<string, (...args: never[]) => unknown>> {
  #child: ChildProcess | undefined
  #isReady = false
  #timer: NodeJS.Timeout | undefined
  #current: QueuedTask | undefined
  readonly #queue: QueuedTask[] = []

  constructor (private readonly options: TaskProcessOptions) {}

  async run<N extends keyof Operations & string> (name: N, ...args: Parameters<Operations[N]>):
  Promise<Awaited<ReturnType<Operations[N]>>> {
    const result = await new Promise((resolve, reject) => {
      const cpuMs = this.options.cpuMs?.(sizeOf(args))
      this.#queue.push({ name, args, cpuMs, queuedAt: Date.now(), resolve, reject })
      this.#next()
    })
    // The process answers with what the operation of that name returned.
    return result as Awaited<ReturnType<Operations[N]>>
  }

  #start (): ChildProcess {
    const { script, maxHeapMb } = this.options
    // What a text makes run has neither our environment nor our output.
    const child = fork(fileURLToPath(script), [], {
      execArgv: [`--max-old-space-size=${maxHeapMb}`], env: {}, serialization: 'advanced', stdio: silent
    })
    // The child sends nothing else.
    child.on('message', (answer) => this.#take(child, answer as TaskAnswer))
    child.once('error', (error) => this.#end(child, error))
    // It comes behind the last message, which the end of the process does not.
    child.once('disconnect', () => this.#end(child, this.#isReady ? this.options.tooComplex() : notStarted()))
    return child
  }

  /** Whether the child keeps this process alive. */
  #hold (isHeld: boolean): void {
    const child = this.#child
    if (isHeld) {
      child?.ref()
      child?.channel?.ref()
    } else {
      child?.unref()
      child?.channel?.unref()
    }
  }

  #next (): void {
    if (this.#current || this.#queue.length === 0) return
    this.#child ??= this.#start()
    this.#hold(true)
    if (!this.#isReady) return
    const task = this.#queue.shift()
    if (!task) return
    const { maxWaitMs = Infinity, overloaded } = this.options
    if (overloaded && Date.now() - task.queuedAt > maxWaitMs) {
      task.reject(overloaded())
      return this.#next()
    }
    this.#current = task
    const { name, args, cpuMs } = task
    if (cpuMs !== undefined && overloaded) {
      this.#timer = setTimeout(() => this.#stop(overloaded()), cpuMs / leastShare)
    }
    // A child that has ended has disconnected as well.
    this.#child.send({ name, args, cpuMs } satisfies Task, () => undefined)
  }

  #take (child: ChildProcess, answer: TaskAnswer): void {
    if (child !== this.#child) return
    if ('isReady' in answer) {
      this.#isReady = true
      return this.#next()
    }
    clearTimeout(this.#timer)
    const task = this.#current
    this.#current = undefined
    if ('result' in answer) task?.resolve(answer.result)
    else task?.reject(answer.tooDeep ? this.options.tooComplex() : new Error(answer.failure))
    this.#hold(false)
    this.#next()
  }

  /** A child that ends by itself: its heap is full, or it could not be started. */
  #end (child: ChildProcess, error: Error): void {
    if (child === this.#child) this.#stop(error)
  }

  /** Ends the child and its task; the next task gets another child. */
  #stop (error: Error): void {
    clearTimeout(this.#timer)
    const [child, task, isReady] = [this.#child, this.#current, this.#isReady]
    this.#child = undefined
    this.#current = undefined
    this.#isReady = false
    child?.kill('SIGKILL')
    task?.reject(error)
    // A child that cannot be started would be started for ever.
    if (!isReady) for (const waiting of this.#queue.splice(0)) waiting.reject(error)
    this.#next()
  }
}
