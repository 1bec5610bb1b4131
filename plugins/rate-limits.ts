import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { addCounts, deleteOldWindows } from '../db/rate-windows.js'
import { RateLimited } from '../schemas/errors.js'
import { principalKey } from '../lib/security/principal.js'
import { messageOf } from '../schemas/thrown.js'

const windowMs = 60_000
const uncounted = new Set(['/health', '/ready', '/metrics'])
const syncMs = 1_000

interface Counter {
  window: number
  unsent: number
  shared: number
}

/**
 * Counts per principal and minute. An instance counts by itself and, once a second, adds what it counted to the
 * table and takes over the sum: shared by all instances, a second late, with no query in a request.
 */
class SharedCounts {
  readonly #counters = new Map<string, Counter>()

  increment (key: string): { current: number; ttl: number } {
    const now = Date.now()
    const window = now - (now % windowMs)
    let counter = this.#counters.get(key)
    if (counter?.window !== window) this.#counters.set(key, (counter = { window, unsent: 0, shared: 0 }))
    counter.unsent++
    return { current: counter.shared + counter.unsent, ttl: window + windowMs - now }
  }

  /** @returns what was counted since the last call */
  take (): { principal: string; window_start: Date; count: number }[] {
    const now = Date.now()
    const taken = []
    for (const [principal, counter] of this.#counters) {
      if (counter.unsent > 0) {
        taken.push({ principal, window_start: new Date(counter.window), count: counter.unsent })
        counter.shared += counter.unsent
        counter.unsent = 0
      } else if (counter.window + windowMs < now) this.#counters.delete(principal)
    }
    return taken
  }

  settle (sums: { principal: string; window_start: Date; count: number }[]): void {
    for (const sum of sums) {
      const counter = this.#counters.get(sum.principal)
      if (counter?.window === sum.window_start.getTime()) counter.shared = sum.count
    }
  }
}

const storeOf = (counts: SharedCounts): FastifyRateLimitStoreCtor =>
  class implements FastifyRateLimitStore {
    incr (key: string, callback: (error: Error | null, result?: { current: number; ttl: number }) => void): void {
      callback(null, counts.increment(key))
    }

    child (): FastifyRateLimitStore {
      return this
    }
  }

const keyOf = (request: FastifyRequest): string =>
  request.principal ? principalKey(request.principal) : `ip:${request.ip}`

/** Limits per principal, or per address where there is none, over all instances. */
export default fp(
  async (app) => {
    const counts = new SharedCounts()
    await app.register(rateLimit, {
      global: true,
      hook: 'preHandler',
      max: app.config.limits.requests_per_minute,
      timeWindow: windowMs,
      keyGenerator: keyOf,
      store: storeOf(counts),
      enableDraftSpec: true,
      allowList: (request) => request.principal?.background === true || uncounted.has(request.routeOptions.url ?? ''),
      errorResponseBuilder: (_request, context) => RateLimited(`More than ${context.max} requests in a minute`)
    })
    const sync = async () => {
      const taken = counts.take()
      if (taken.length > 0) counts.settle(await addCounts(app.db, app.home.workspace_id, taken))
    }
    const warn = (error: unknown) => app.log.warn({ reason: messageOf(error) }, 'rate limits not shared')
    const timers = [
      setInterval(() => {
        sync().catch(warn)
      }, syncMs).unref(),
      setInterval(() => {
        deleteOldWindows(app.db).catch(warn)
      }, windowMs).unref()
    ]
    app.addHook('onClose', async () => {
      for (const timer of timers) clearInterval(timer)
    })
  },
  { name: 'rate-limits', dependencies: ['auth', 'db', 'config'] }
)
