import { fork, type ChildProcess, type StdioOptions } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { TaskAnswer, Task } from './serve-tasks.js'
import { Shares, usualAtOnce, usualWaiting, type SharesOptions } from './shares.js'

interface TaskProcessOptions {
  /** The script of the process, which serves its operations by `serveTasks`. */
  script: URL
  maxHeapMb: number
  /**
   * @returns ms of the processor's time that a task may take, by the characters of its arguments; without it, as much
   *   as it takes. A busy machine slows a task down, but lets it do no more work
   */
  cpuMs?: (chars: number) => number
  /** The error of a task that takes too much work, too much memory or too deep a stack. */
  tooComplex: () => Error
  /** The error of a task that the machine was too busy for. */
  overloaded: () => Error
}

interface RunningTask extends Task {
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
 * A process that runs operations on copies of their arguments, one at a time. A text that takes long holds up this
 * process and nothing else; one that takes all memory ends it, and nothing else. A thread would not do: V8 ends the
 * whole process when a thread's heap overflows at a bad moment, whatever its `resourceLimits` are.
 *
 * It starts when it is first needed, ends with its parent, and keeps no parent alive that has nothing else to do.
 */
class TaskProcess {
  #child: ChildProcess | undefined
  #isReady = false
  #timer: NodeJS.Timeout | undefined
  #task: RunningTask | undefined
  #isSent = false

  constructor (private readonly options: TaskProcessOptions) {}

  get isBusy (): boolean { return this.#task !== undefined }
  get isStarted (): boolean { return this.#child !== undefined }

  /** Starts the process, so that the next task finds it ready. */
  start (): void {
    this.#child ??= this.#fork()
    this.#hold(this.isBusy)
  }

  /** Ends the process if it has no task. */
  stop (): void {
    if (!this.isBusy) this.#stop(notStarted())
  }

  /** Runs a task in the process, which has no other. */
  run (name: string, args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#task = { name, args, cpuMs: this.options.cpuMs?.(sizeOf(args)), resolve, reject }
      this.start()
      this.#send()
    })
  }

  #fork (): ChildProcess {
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

  #send (): void {
    if (!this.#task || !this.#isReady || this.#isSent) return
    this.#isSent = true
    const { name, args, cpuMs } = this.#task
    if (cpuMs !== undefined) {
      this.#timer = setTimeout(() => this.#stop(this.options.overloaded()), cpuMs / leastShare)
    }
    // A child that has ended has disconnected as well.
    this.#child?.send({ name, args, cpuMs } satisfies Task, () => undefined)
  }

  #take (child: ChildProcess, answer: TaskAnswer): void {
    if (child !== this.#child) return
    if ('isReady' in answer) {
      this.#isReady = true
      return this.#send()
    }
    const task = this.#leave()
    this.#hold(false)
    if ('result' in answer) task?.resolve(answer.result)
    else task?.reject(answer.tooDeep ? this.options.tooComplex() : new Error(answer.failure))
  }

  #leave (): RunningTask | undefined {
    clearTimeout(this.#timer)
    const task = this.#task
    this.#task = undefined
    this.#isSent = false
    return task
  }

  /** A child that ends by itself: its heap is full, or it could not be started. */
  #end (child: ChildProcess, error: Error): void {
    if (child === this.#child) this.#stop(error)
  }

  /** Ends the child and its task; the next task gets another child. */
  #stop (error: Error): void {
    const child = this.#child
    this.#child = undefined
    this.#isReady = false
    child?.kill('SIGKILL')
    this.#leave()?.reject(error)
  }
}

export interface TaskProcessesOptions extends TaskProcessOptions, Partial<Omit<SharesOptions, 'overloaded'>> {
  /** The error of a task that may not wait or has waited too long, or that the machine was too busy for. */
  overloaded: (detail?: string) => Error
}

/** A process that only stood in for a busy one ends after so long without work. */
const idleMs = 60_000

/**
 * Some processes that run operations on copies of their arguments, in turns of those who bring them. The first one
 * stays; the others run while it is busy.
 */
export class TaskProcesses<Operations extends Record<string, (...args: never[]) => unknown>> {
  readonly #processes: readonly TaskProcess[]
  readonly #shares: Shares
  #idle: NodeJS.Timeout | undefined

  constructor (options: TaskProcessesOptions) {
    const { atOnce = usualAtOnce, waiting = usualWaiting, maxWaitMs = 20_000, overloaded } = options
    this.#shares = new Shares({ atOnce, waiting, maxWaitMs, overloaded })
    this.#processes = Array.from({ length: atOnce.all }, () => new TaskProcess(options))
  }

  /** Runs an operation on the current share. */
  async run<N extends keyof Operations & string> (name: N, ...args: Parameters<Operations[N]>):
  Promise<Awaited<ReturnType<Operations[N]>>> {
    const running = this.#shares.run(() => this.#free().run(name, args))
    // Whoever is next finds a process that has started.
    if (this.#shares.waiting > 0) this.#processes.find(({ isStarted }) => !isStarted)?.start()
    // The process answers with what the operation of that name returned.
    return await running as Awaited<ReturnType<Operations[N]>>
  }

  /** Shares lets no more tasks run than there are processes. */
  #free (): TaskProcess {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => { for (const spare of this.#processes.slice(1)) spare.stop() }, idleMs).unref()
    const free = this.#processes.filter(({ isBusy }) => !isBusy)
    const found = free.find(({ isStarted }) => isStarted) ?? free[0]
    if (!found) throw new Error('More tasks run than there are processes')
    return found
  }
}
