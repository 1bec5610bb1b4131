import type { Next } from './links.js'

/** What a URL answered to a token the last time, and by what the code host knows whether that still holds. */
export interface Held {
  data: unknown
  next: Next | null
  etag: string | undefined
  lastModified: string | undefined
  hidden: string[]
  bytes: number
  /** When the code host last confirmed it. */
  at: number
}

const maxBytes = 33_554_432

/** Answers by token and URL: what one person may see is never shown to another. The least recently used go first. */
export class AnswerCache {
  readonly #held = new Map<string, Held>()
  #bytes = 0

  find (key: string): Held | undefined {
    const held = this.#held.get(key)
    if (!held) return undefined
    this.#held.delete(key)
    this.#held.set(key, held)
    return held
  }

  keep (key: string, held: Held): void {
    this.drop(key)
    if (held.bytes > maxBytes / 8) return
    this.#held.set(key, held)
    this.#bytes += held.bytes
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= maxBytes) return
      this.drop(oldest)
    }
  }

  drop (key: string): void {
    this.#bytes -= this.#held.get(key)?.bytes ?? 0
    this.#held.delete(key)
  }

  /** Removes the answers that a token got: they may not be shown any more. */
  forget (prefix: string): void {
    for (const key of this.#held.keys()) if (key.startsWith(prefix)) this.drop(key)
  }
}
