import { setTimeout as sleep } from 'node:timers/promises'

/** How many calls may be sent at once, and how many a second go on after them. */
export interface Rate { burst: number, perSecond: number }

/** Spreads calls so that they stay below what AWS throttles. */
export class Bucket {
  #next = 0
  constructor (private readonly rate: Rate) {}

  async take (): Promise<void> {
    const { burst, perSecond } = this.rate
    const now = Date.now()
    this.#next = Math.max(this.#next, now - burst * 1_000 / perSecond) + 1_000 / perSecond
    const wait = this.#next - now
    if (wait > 0) await sleep(wait)
  }

  /** How long a call that came now would wait. */
  waitMs (): number {
    return Math.max(0, this.#next + 1_000 / this.rate.perSecond - Date.now())
  }
}
