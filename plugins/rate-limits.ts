import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { addCounts, deleteOldWindows } from '../db/rate-windows.js'
import { RateLimited } from '../schemas/errors.js'
import { addressIn, byAddress, siteOf, siteShare } from '../lib/http/addresses.js'
import type { Principal } from '../lib/security/principal.js'
import { Watch } from '../lib/durable/watch.js'
import { messageOf } from '../schemas/unknown.js'

const windowMs = 60_000
const uncounted = new Set(['/health', '/ready', '/metrics'])
const syncMs = 1_000

/** A little longer than a window is kept. */
const oldMs = 6 * windowMs

interface Taken { principal: string, window_start: Date, count: number }

/** Between the workspace and the principal of a key; a key without it is the first workspace's. */
const separator = ' '

interface Counter {
  window: number
  unsent: number
  shared: number
}

/**
 * Counts per person, or network, and minute. An instance counts by itself and, once a second, adds what it counted to
 * the table and takes over the sum: shared by all instances, a second late, with no query in a request.
 */
class SharedCounts {
  readonly #counters = new Map<string, Counter>()

  /**
   * @param first the workspace of keys that name none
   * @param onCount is called for each request that is counted
   */
  constructor (private readonly first: string, private readonly onCount: () => void) {}

  increment (text: string): { current: number; ttl: number } {
    const key = text.includes(separator) ? text : this.first + separator + text
    const own = this.#add(key)
    const network = addressIn.exec(key)?.groups?.network ?? ''
    const site = siteOf(network)
    if (site === undefined) return own
    const all = this.#add(key.slice(0, -network.length) + site)
    return { ...own, current: Math.max(own.current, Math.ceil(all.current / siteShare)) }
  }

  #add (key: string): { current: number; ttl: number } {
    const now = Date.now()
    const window = now - (now % windowMs)
    let counter = this.#counters.get(key)
    if (counter?.window !== window) this.#counters.set(key, (counter = { window, unsent: 0, shared: 0 }))
    counter.unsent++
    this.onCount()
    return { current: counter.shared + counter.unsent, ttl: window + windowMs - now }
  }

  /** @returns what was counted since the last call, by workspace */
  take (): Map<string, Taken[]> {
    const now = Date.now()
    const taken = new Map<string, Taken[]>()
    for (const [key, counter] of this.#counters) {
      const [workspaceId = '', principal = ''] = key.split(separator)
      if (counter.unsent > 0) {
        const own = taken.get(workspaceId) ?? []
        taken.set(workspaceId, own)
        own.push({ principal, window_start: new Date(counter.window), count: counter.unsent })
        counter.shared += counter.unsent
        counter.unsent = 0
      } else if (counter.window + windowMs < now) this.#counters.delete(key)
    }
    return taken
  }

  settle (workspaceId: string, sums: Taken[]): void {
    for (const sum of sums) {
      const counter = this.#counters.get(workspaceId + separator + sum.principal)
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

/** All browsers and tokens of a person count together: who makes more of them may do no more. */
const personKey = ({ user_id: id, via }: Principal): string => via === 'assistant' ? `${id}:assistant` : id

const keyOf = ({ principal, ip }: FastifyRequest): string =>
  principal ? `${principal.workspace_id}${separator}${personKey(principal)}` : byAddress('ip', ip)

/** Limits per person, or per address where there is none, over all instances. */
export default fp(
  async (app) => {
    const watch = (look: () => Promise<unknown>) => new Watch(() => look().then(() => Infinity), (error) =>
      app.log.warn({ reason: messageOf(error) }, 'rate limits not shared'))
    const sync = watch(async () => {
      const errors: unknown[] = []
      // A workspace whose server is dead does not keep the others.
      for (const [workspaceId, taken] of counts.take()) {
        await addCounts(app.db, workspaceId, taken).then((sums) => counts.settle(workspaceId, sums),
          (error: unknown) => errors.push(error))
      }
      if (errors.length > 0) throw errors[0]
    })
    const purge = watch(() => deleteOldWindows(app.db))
    const counts = new SharedCounts(app.home.workspace_id, () => {
      sync.within(syncMs)
      purge.within(oldMs)
    })
    await app.register(rateLimit, {
      global: true,
      hook: 'preHandler',
      max: ({ principal }: FastifyRequest) =>
        (principal ? app.workspaces.limitsOf(principal.workspace_id) : app.config.limits).requests_per_minute,
      timeWindow: windowMs,
      keyGenerator: keyOf,
      store: storeOf(counts),
      enableDraftSpec: true,
      allowList: (request) => request.principal?.background === true || uncounted.has(request.routeOptions.url ?? ''),
      errorResponseBuilder: (_request, context) => RateLimited(`More than ${context.max} requests in a minute`)
    })
    app.addHook('onClose', async () => { await Promise.all([sync.stop(), purge.stop()]) })
  },
  { name: 'rate-limits', dependencies: ['auth', 'db', 'config', 'workspaces'] }
)
