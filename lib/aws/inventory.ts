import { ApiError } from '../../schemas/errors.js'

interface Entry { at: number, until: number, isPending: boolean, value: Promise<unknown> }

const maxEntries = 20_000
const failureMs = 5_000

/**
 * Recent answers of AWS, by key: one call for all who ask at once, and no second call before it is stale. A source
 * that did not answer is not asked again for some seconds, so a dead region does not hold up every list.
 */
export class Inventory {
  readonly #entries = new Map<string, Entry>()

  /** @param ttlMs how long the value counts; a failure counts for 5 s if it was the source's (5xx) */
  recall<T> (key: string, ttlMs: number, load: () => Promise<T>): Promise<T> {
    const held = this.#entries.get(key)
    // A key is used with one type only: its first word names it.
    if (held && held.until > Date.now()) return held.value as Promise<T>
    const value = load()
    const at = Date.now()
    // While AWS has not answered, whoever asks for the same joins: nobody asks a silent region again.
    const entry: Entry = { at, until: Infinity, isPending: true, value }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    const settle = (until: number) => Object.assign(entry, { until, isPending: false })
    value.then(() => settle(at + ttlMs), (error: unknown) =>
      settle(error instanceof ApiError && error.statusCode >= 502 ? Date.now() + failureMs : 0))
    this.#trim()
    return value
  }

  /** @returns how old the value under the key is, in seconds */
  age (key: string): number {
    const held = this.#entries.get(key)
    return held ? Math.floor((Date.now() - held.at) / 1_000) : 0
  }

  /** @returns for how long AWS has been asked for the value without having answered, in ms; 0 once it has */
  pendingMs (key: string): number {
    const held = this.#entries.get(key)
    return held?.isPending ? Date.now() - held.at : 0
  }

  /** A write makes what was read before it stale. */
  forget (prefix: string): void {
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#entries.delete(key)
  }

  #trim () {
    for (const key of this.#entries.keys()) {
      if (this.#entries.size <= maxEntries) return
      this.#entries.delete(key)
    }
  }
}
