/** A look that failed is repeated so soon. */
const againMs = 1_000

/** Between two looks, however much becomes due one after the other. */
const leastMs = 50

/** Looks after so many milliseconds at most, and not all instances at once. */
export const jittered = (ms: number): number => ms * (0.9 + Math.random() / 10)

/**
 * Looks now and then for what is due. Each look says in how many milliseconds the next one is wanted; whoever hears of
 * something brings it forward. In between there is no timer but that one, and none at all after `Infinity`.
 */
export class Watch {
  #timer: NodeJS.Timeout | undefined
  #at = Infinity
  #running: Promise<void> | undefined
  #stopped = false

  constructor (private readonly look: () => Promise<number>, private readonly onError: (error: unknown) => void) {}

  /** Looks within so many milliseconds; no two looks at once. */
  within (ms: number): void {
    const at = performance.now() + ms
    if (this.#stopped || at >= this.#at) return
    this.#at = at
    if (!this.#running) this.#arm()
  }

  /** @returns when the look that is under way has ended */
  async stop (): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
  }

  #arm (): void {
    clearTimeout(this.#timer)
    if (this.#stopped || this.#at === Infinity) return
    this.#timer = setTimeout(() => this.#run(), Math.max(0, this.#at - performance.now())).unref()
  }

  #run (): void {
    this.#at = Infinity
    this.#running = this.look().then((ms) => this.within(Math.max(ms, leastMs)), (error: unknown) => {
      this.onError(error)
      this.within(againMs)
    }).finally(() => {
      this.#running = undefined
      this.#arm()
    })
  }
}
