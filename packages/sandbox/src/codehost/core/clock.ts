/** The sandbox's clock, which tests can move and stop. No timer depends on it. */
export class Clock {
  #offset = 0
  #frozenAt: number | undefined

  get frozen (): boolean {
    return this.#frozenAt !== undefined
  }

  /** @returns milliseconds since the epoch */
  now (): number {
    return this.#frozenAt ?? Date.now() + this.#offset
  }

  /** @returns the time as the code host writes it, without fractions of a second */
  iso (): string {
    return isoOf(this.now())
  }

  advance (milliseconds: number): void {
    if (this.#frozenAt === undefined) this.#offset += milliseconds
    else this.#frozenAt += milliseconds
  }

  freeze (): void {
    this.#frozenAt ??= this.now()
  }

  thaw (): void {
    if (this.#frozenAt === undefined) return
    this.#offset = this.#frozenAt - Date.now()
    this.#frozenAt = undefined
  }
}

export const isoOf = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
