/** For so long a model that was overloaded is not asked, where another can be. */
const restMs = 60_000

/**
 * Which models are overloaded, as far as this process knows. After its rest a model is tried once: if it is still
 * overloaded, it rests again, and nobody waits for all the repetitions.
 */
export class Overload {
  readonly #until = new Map<string, number>()

  /** @returns whether it rests */
  isResting (model: string): boolean {
    return (this.#until.get(model) ?? 0) > performance.now()
  }

  /** @returns whether its last rest has ended, and nobody has reached it since */
  isOnTrial (model: string): boolean {
    return this.#until.has(model) && !this.isResting(model)
  }

  /** It was overloaded, in spite of repetitions. */
  rest (model: string): void {
    this.#until.set(model, performance.now() + restMs)
  }

  /** It has answered. */
  reached (model: string): void {
    if (this.#until.size > 0) this.#until.delete(model)
  }
}
