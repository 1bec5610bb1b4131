interface Entry { at: number; order: number; run: () => void }

/**
 * The sandbox's clock and its agenda. There are no timers: `settle` carries out the due steps, in order and at
 * their own time, before the next request. So a rollout costs nothing between requests.
 */
export class Clock {
  #agenda: Entry[] = []
  #order = 0
  #offset = 0
  #frozenAt: number | undefined
  #replayingAt: number | undefined

  constructor (options: { frozen?: boolean, startAt?: number } = {}) {
    if (options.startAt !== undefined) this.#offset = options.startAt - Date.now()
    if (options.frozen) this.freeze()
  }

  get frozen (): boolean {
    return this.#frozenAt !== undefined
  }

  now (): number {
    return this.#replayingAt ?? this.#frozenAt ?? Date.now() + this.#offset
  }

  at (time: number, run: () => void): void {
    const entry = { at: time, order: this.#order++, run }
    let index = this.#agenda.length
    while (index > 0 && this.#agenda[index - 1]!.at > time) index--
    this.#agenda.splice(index, 0, entry)
  }

  settle (): void {
    const until = this.now()
    try {
      while (this.#agenda.length > 0 && this.#agenda[0]!.at <= until) {
        const entry = this.#agenda.shift()!
        this.#replayingAt = entry.at
        entry.run()
      }
    } finally {
      this.#replayingAt = undefined
    }
  }

  advance (milliseconds: number): void {
    if (this.#frozenAt === undefined) this.#offset += milliseconds
    else this.#frozenAt += milliseconds
    this.settle()
  }

  freeze (): void {
    this.#frozenAt ??= Date.now() + this.#offset
  }

  thaw (): void {
    if (this.#frozenAt === undefined) return
    this.#offset = this.#frozenAt - Date.now()
    this.#frozenAt = undefined
  }
}
