import { Overloaded } from '../../../../schemas/errors.js'

/** Bytes of webhooks that may be in memory before their signature is verified: of all, and of one holder. */
const maxBytes = 134_217_728
const maxOfOne = maxBytes / 2

/**
 * Counts the bytes of bodies that are being received, by their Content-Length, else by the limit. Whoever holds some is
 * known by where the webhook is for, and by where it comes from; none of them can take the room of all others.
 */
export class InFlight {
  #bytes = 0
  readonly #held = new Map<string, number>()

  /**
   * @param holders whose share it takes
   * @param length the Content-Length; undefined = not known
   * @returns releases the bytes, once
   * @throws overloaded when there are too many
   */
  reserve (holders: readonly string[], length: string | undefined, limit: number): () => void {
    let held = Number(length ?? limit)
    if (Number.isNaN(held)) held = limit
    // The body limit refuses a larger one before it is read.
    if (held > limit) return () => {}
    if (this.#bytes + held > maxBytes || holders.some((one) => (this.#held.get(one) ?? 0) + held > maxOfOne)) {
      throw Overloaded().withHeaders({ 'retry-after': '5' })
    }
    this.#add(holders, held)
    return () => {
      this.#add(holders, -held)
      held = 0
    }
  }

  #add (holders: readonly string[], bytes: number): void {
    this.#bytes += bytes
    for (const one of holders) {
      const sum = (this.#held.get(one) ?? 0) + bytes
      if (sum > 0) this.#held.set(one, sum)
      else this.#held.delete(one)
    }
  }
}
