import { randomUUID } from 'node:crypto'
import type { Test } from '../tap.js'
import { asAdmin } from '../app.js'
import { launch, makeWorld, type Steward, type World } from '../flows/crash-steward.js'
import { persist } from './conversation.js'
import { freePort } from './haproxy.js'
import { chaosLimits } from './limits.js'
import { openQueries } from './postgres.js'

type Query = ReturnType<typeof openQueries>

/** One Steward that is started again, on the same port and database, whenever it dies. */
export class Survivor {
  died = false
  #steward: Steward | undefined

  constructor (private readonly t: Pick<Test, 'teardown'>, readonly world: World, readonly query: Query,
    readonly url: string) {}

  /** Starts it anew, to die at this hit: `<point>:<n>`. */
  async begin (fault: string): Promise<void> {
    const last = this.#steward
    this.#steward = undefined
    await last?.kill()
    this.died = false
    await this.#start(fault)
  }

  /** Asks until it is answered. What it repeats has one key: it is done once, or is known to be under way. */
  async ask (method: string, path: string, body?: object, more: Record<string, string> = {}):
  Promise<Record<string, unknown> & { status: unknown }> {
    const written = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
    const answer = await persist(() => fetch(this.url + path, {
      method,
      headers: { ...asAdmin, ...(body && written), ...more },
      ...(body && { body: JSON.stringify(body) })
    }))
    return { status: answer.status, ...await answer.json() as Record<string, unknown> }
  }

  async #start (fault: string): Promise<void> {
    const steward = launch(this.t, { ...this.world.env, PORT: new URL(this.url).port, FAULT: fault })
    this.#steward = steward
    // The end of the test kills it for good: no teardown would kill the next.
    this.t.teardown(() => { this.#steward = undefined })
    void steward.exited.then(() => {
      if (this.#steward !== steward) return
      this.died = true
      void this.#start('')
    })
    await steward.listening().catch(() => undefined)
  }
}

export const makeSurvivor = async (t: Pick<Test, 'teardown'>, overrides: Record<string, string> = {}) => {
  const world = await makeWorld(t, { LIMITS: JSON.stringify(chaosLimits), ...overrides })
  const url = `http://127.0.0.1:${await freePort()}`
  return new Survivor(t, world, openQueries(t, world.env.DATABASE_URL ?? ''), url)
}

/** Looks until it fits. @returns what was there in the end, fitting or not */
export const look = async <T>(read: () => Promise<T>, fits: (value: T) => boolean, seconds = 120): Promise<T> => {
  for (const end = Date.now() + seconds * 1_000; ;) {
    const value = await read()
    if (fits(value) || Date.now() > end) return value
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
