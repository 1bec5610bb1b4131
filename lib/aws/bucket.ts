import { setTimeout as sleep } from 'node:timers/promises'

const burstSeconds = 2

/**
 * Spreads the calls of one (account, region, service), or the writes of one (account, region), so that we stay below
 * what AWS throttles.
 */
export class Bucket {
  #next = 0
  constructor (private readonly perSecond: number) {}

  async take (): Promise<void> {
    const now = Date.now()
    this.#next = Math.max(this.#next, now - burstSeconds * 1_000) + 1_000 / this.perSecond
    const wait = this.#next - now
    if (wait > 0) await sleep(wait)
  }
}
