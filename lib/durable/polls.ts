import type { FastifyBaseLogger } from 'fastify'
import { isConnectionError } from '../../db/connection-errors.js'
import { messageOf } from '../../schemas/thrown.js'
import { Watch } from './watch.js'

/** What a process looks for until it stops; a look that fails is logged and repeated. */
export class Polls {
  readonly #watches: Watch[] = []
  readonly #running = new Set<Promise<void>>()
  #stopped = false
  #lastDbErrorAt = -Infinity

  /** @param name of what is looked up, for the log */
  constructor (private readonly name: string, private readonly log: FastifyBaseLogger) {}

  get msSinceDbError (): number { return performance.now() - this.#lastDbErrorAt }

  /** @param look says in how many milliseconds the next look is wanted; the first is not before it is asked for */
  watch (look: () => Promise<number>): Watch {
    const watch = new Watch(look, (error) => this.warn(error))
    this.#watches.push(watch)
    return watch
  }

  /** Polls once now. */
  soon (poll: () => Promise<unknown>): void {
    if (this.#stopped) return
    const running = poll().then(() => undefined, (error: unknown) => this.warn(error))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** The database was away: processes that live could not renew their leases. */
  noteDbError (): void { this.#lastDbErrorAt = performance.now() }

  warn (error: unknown): void {
    if (isConnectionError(error)) this.noteDbError()
    if (!this.#stopped) this.log.warn({ reason: messageOf(error) }, `polling the ${this.name} failed`)
  }

  /** @returns when what is under way has ended */
  async stop (): Promise<void> {
    this.#stopped = true
    await Promise.all([...this.#running, ...this.#watches.map((watch) => watch.stop())])
  }
}
