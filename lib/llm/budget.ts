import type { Usage } from './turn.js'

/** The most that the model calls of one piece of work may use together. */
export interface Caps {
  /** Millionths of a dollar; null = not capped, or the model's price is not known. */
  cost_usd_micros: number | null
  output_tokens: number
  model_calls: number
}

export type Used = Omit<Caps, 'cost_usd_micros'> & { cost_usd_micros: number }

/** A cap was reached; the message says which. */
export class BudgetExceeded extends Error {
  override name = 'BudgetExceeded'
}

/** With less room than this an answer would be cut: it is not asked for. */
const leastTokens = 500

const nothing: Usage = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 }

/** What one call may use; it must be settled, whatever became of the call. */
export interface Reservation {
  /** The most that the answer may be long. */
  maxTokens: number
  /**
   * @param usage what the call was charged; undefined = nothing that is known
   * @param cost in micro-dollars, where another model than the one that was asked has answered
   */
  settle: (usage: Usage | undefined, cost?: number) => void
}

/**
 * Keeps calls that run at the same time within their caps together: each reserves the longest answer that it may give,
 * and a call for which there is not enough room now waits for the others to use less than they might. The input is
 * estimated: by so much as one input costs more, the cap on the cost may be passed.
 */
export class CallBudget {
  readonly #inFlight = new Set<{ output_tokens: number, cost_usd_micros: number }>()
  #waiting: (() => void)[] = []

  /** @param used what earlier calls of the same work used already; it is kept up */
  constructor (readonly caps: Caps, private readonly priceOf: (usage: Usage) => number | null, readonly used: Used) {}

  /** @throws BudgetExceeded when no room is left, the signal's reason when it aborts */
  async reserve (inputTokens: number, maxTokens: number, signal: AbortSignal): Promise<Reservation> {
    for (;;) {
      signal.throwIfAborted()
      if (this.used.model_calls >= this.caps.model_calls) {
        throw new BudgetExceeded(`${this.caps.model_calls} model calls were made`)
      }
      const room = Math.min(maxTokens, this.#tokensLeft(), this.#tokensBought(inputTokens))
      if (room >= Math.min(maxTokens, this.#inFlight.size > 0 ? maxTokens : leastTokens)) {
        return this.#take(inputTokens, room)
      }
      if (this.#inFlight.size === 0) throw new BudgetExceeded(this.#reason())
      await new Promise<void>((resolve) => { this.#waiting.push(resolve) })
    }
  }

  #take (inputTokens: number, output: number): Reservation {
    const held = {
      output_tokens: output,
      cost_usd_micros: this.priceOf({ ...nothing, input_tokens: inputTokens, output_tokens: output }) ?? 0
    }
    this.#inFlight.add(held)
    this.used.model_calls++
    const settle = (usage: Usage = nothing, cost = this.priceOf(usage) ?? 0) => {
      if (!this.#inFlight.delete(held)) return
      this.used.output_tokens += usage.output_tokens
      this.used.cost_usd_micros += cost
      const woken = this.#waiting
      this.#waiting = []
      for (const wake of woken) wake()
    }
    return { maxTokens: output, settle }
  }

  #held (what: 'output_tokens' | 'cost_usd_micros'): number {
    return [...this.#inFlight].reduce((sum, one) => sum + one[what], this.used[what])
  }

  #tokensLeft (): number {
    return this.caps.output_tokens - this.#held('output_tokens')
  }

  /** @returns how long an answer may be for the money that is left after such an input */
  #tokensBought (inputTokens: number): number {
    const thousand = this.priceOf({ ...nothing, output_tokens: 1_000 })
    if (this.caps.cost_usd_micros === null || !thousand) return Infinity
    const left = this.caps.cost_usd_micros - this.#held('cost_usd_micros')
    return Math.floor((left - (this.priceOf({ ...nothing, input_tokens: inputTokens }) ?? 0)) / thousand * 1_000)
  }

  #reason (): string {
    if (this.#tokensLeft() < leastTokens) return `The cap of ${this.caps.output_tokens} output tokens is reached`
    return `The next call may cost more than is left of ${(this.caps.cost_usd_micros ?? 0) / 1_000_000} USD`
  }
}
