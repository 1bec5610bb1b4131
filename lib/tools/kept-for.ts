/** Keeps what was made for so many keys, those that were asked for last; anything can be made again. */
export class KeptFor<Value extends object> {
  readonly #kept = new Map<string, Value>()

  constructor (private readonly max: number) {}

  get size (): number { return this.#kept.size }

  /** @returns what is kept for a key, the very same each time, or else what `make` makes */
  get (key: string, make: () => Value): Value {
    const value = this.#kept.get(key) ?? make()
    // The one that was asked for last is the last that is given up.
    this.#kept.delete(key)
    this.#kept.set(key, value)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > this.max && oldest !== undefined) this.#kept.delete(oldest)
    return value
  }
}
