/** A cache of rendered texts: the least recently used go first, beyond a number of characters. */
export class KeptTexts {
  #chars = 0
  readonly #kept = new Map<string, string>()
  readonly #pending = new Map<string, Promise<string>>()

  constructor (readonly maxChars: number) {}

  /** @returns the text of a key; concurrent calls share one `make`. @throws what `make` throws */
  async get (key: string, make: () => Promise<string>): Promise<string> {
    const kept = this.#kept.get(key)
    if (kept !== undefined) {
      this.#kept.delete(key)
      this.#kept.set(key, kept)
      return kept
    }
    const pending = this.#pending.get(key) ?? make().then((text) => this.#keep(key, text))
      .finally(() => this.#pending.delete(key))
    this.#pending.set(key, pending)
    return pending
  }

  #keep (key: string, text: string): string {
    this.#kept.set(key, text)
    this.#chars += text.length
    for (const [oldest, { length }] of this.#kept) {
      if (this.#chars <= this.maxChars) break
      this.#kept.delete(oldest)
      this.#chars -= length
    }
    return text
  }
}
