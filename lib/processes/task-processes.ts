import { Shares, usualAtOnce, usualWaiting, type SharesOptions } from './shares.js'
import { TaskProcess, type TaskProcessOptions } from './task-process.js'

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
