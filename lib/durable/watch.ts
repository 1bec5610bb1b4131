import type { FastifyBaseLogger } from 'fastify'
import { isConnectionError } from '../../db/connection-errors.js'
import { ApiError, DatabaseUnavailable } from '../../schemas/errors.js'
import { messageOf } from '../../schemas/unknown.js'

/** A look that failed is repeated so soon. */
const againMs = 1_000

/** Between two looks, however much becomes due one after the other. */
const leastMs = 50

/** Looks after so many milliseconds at most, and not all instances at once. */
export const jittered = (ms: number): number => ms * (0.9 + Math.random() / 10)

/**
 * Looks now and then for what is due. Each look says in how many milliseconds the next one is wanted; whoever hears of
 * something brings it forward. In between there is no timer but that one, and none at all after `Infinity`.
 */
export class Watch {
  #timer: NodeJS.Timeout | undefined
  #at = Infinity
  #running: Promise<void> | undefined
  #stopped = false

  constructor (private readonly look: () => Promise<number>, private readonly onError: (error: unknown) => void) {}

  /** Looks within so many milliseconds; no two looks at once. */
  within (ms: number): void {
    const at = performance.now() + ms
    if (this.#stopped || at >= this.#at) return
    this.#at = at
    if (!this.#running) this.#arm()
  }

  /** @returns when the look that is under way has ended */
  async stop (): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
  }

  #arm (): void {
    clearTimeout(this.#timer)
    if (this.#stopped || this.#at === Infinity) return
    this.#timer = setTimeout(() => this.#run(), Math.max(0, this.#at - performance.now())).unref()
  }

  #run (): void {
    this.#at = Infinity
    this.#running = this.look().then((ms) => this.within(Math.max(ms, leastMs)), (error: unknown) => {
      this.onError(error)
      this.within(againMs)
    }).finally(() => {
      this.#running = undefined
      this.#arm()
    })
  }
}

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

/** @returns whether the database was unavailable, here or for a route that was called: it says nothing of the work */
export const isUnavailable = (error: unknown): boolean =>
  isConnectionError(error) || (error instanceof ApiError && error.code === DatabaseUnavailable.code)
