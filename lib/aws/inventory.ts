import { ApiError } from '../../schemas/errors.js'

interface Entry { at: number, until: number, value: Promise<unknown> }

const maxEntries = 20_000
const failureMs = 5_000
const lateMs = 30_000

/**
 * Recent answers of AWS, by key: one call for all who ask at once, and no second call before it is stale. A source
 * that did not answer is not asked again for some seconds, so a dead region does not hold up every list.
 */
export class Inventory {
  readonly #entries = new Map<string, Entry>()
  readonly #late = new Map<string, number>()

  /** @param ttlMs how long the value counts; a failure counts for 5 s if it was the source's (5xx) */
  recall<T> (key: string, ttlMs: number, load: () => Promise<T>): Promise<T> {
    const held = this.#entries.get(key)
    // A key is used with one type only: its first word names it.
    if (held && held.until > Date.now()) return held.value as Promise<T>
    const value = load()
    const entry: Entry = { at: Date.now(), until: Date.now() + ttlMs, value }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    value.catch((error: unknown) => {
      entry.until = error instanceof ApiError && error.statusCode >= 502 ? Date.now() + failureMs : 0
    })
    this.#trim()
    return value
  }

  /** @returns how old the value under the key is, in seconds */
  age (key: string): number {
    const held = this.#entries.get(key)
    return held ? Math.floor((Date.now() - held.at) / 1_000) : 0
  }

  /** The source has kept a list waiting; the next ones need not wait as long. */
  markLate (source: string): void {
    this.#late.set(source, Date.now() + lateMs)
  }

  isLate (source: string): boolean {
    return (this.#late.get(source) ?? 0) > Date.now()
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
