import type { FastifyBaseLogger } from 'fastify'
import { isConnectionError } from '../../db/connection-errors.js'
import { messageOf } from '../../schemas/thrown.js'

/** What a process polls until it stops; a poll that fails is logged and repeated. */
export class Polls {
  readonly #timers: NodeJS.Timeout[] = []
  readonly #running = new Set<Promise<void>>()
  #stopped = false
  #lastDbErrorAt = -Infinity

  /** @param name of what is looked up, for the log */
  constructor (private readonly name: string, private readonly log: FastifyBaseLogger) {}

  get msSinceDbError (): number { return performance.now() - this.#lastDbErrorAt }

  /** One poll at a time: a slow one is not overtaken by the next. */
  every (ms: number, poll: () => Promise<unknown>): void {
    let isBusy = false
    this.#timers.push(setInterval(() => {
      if (isBusy) return
      isBusy = true
      this.#run(async () => { await poll().finally(() => { isBusy = false }) })
    }, ms).unref())
  }

  get isStarted (): boolean { return this.#timers.length > 0 }

  /** Polls once now. */
  soon (poll: () => Promise<unknown>): void {
    this.#run(async () => { await poll() })
  }

  warn (error: unknown): void {
    if (isConnectionError(error)) this.#lastDbErrorAt = performance.now()
    if (!this.#stopped) this.log.warn({ reason: messageOf(error) }, `polling the ${this.name} failed`)
  }

  /** @returns when what is under way has ended */
  async stop (): Promise<void> {
    this.#stopped = true
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all(this.#running)
  }

  #run (poll: () => Promise<void>): void {
    if (this.#stopped) return
    const running = poll().catch((error: unknown) => this.warn(error)).finally(() => this.#running.delete(running))
    this.#running.add(running)
  }
}
