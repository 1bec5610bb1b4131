import { Overloaded } from '../../../schemas/errors.js'

/** Bytes of webhooks that may be in memory before their signature is verified. */
const maxBytes = 134_217_728

/** Counts the bytes of bodies that are being received, by their Content-Length, else by the limit. */
export class InFlight {
  #bytes = 0

  /**
   * @param length the Content-Length; undefined = not known
   * @returns releases the bytes, once
   * @throws overloaded when there are too many
   */
  reserve (length: string | undefined, limit: number): () => void {
    let held = Number(length ?? limit)
    if (Number.isNaN(held)) held = limit
    // The body limit refuses a larger one before it is read.
    if (held > limit) return () => {}
    if (this.#bytes + held > maxBytes) throw Overloaded().withHeaders({ 'retry-after': '5' })
    this.#bytes += held
    return () => {
      this.#bytes -= held
      held = 0
    }
  }
}
