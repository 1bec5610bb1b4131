import { Overloaded } from '../../../schemas/errors.js'

/** Bytes of webhooks that may be in memory before anybody has proved to be the code host. */
const maxBytes = 134_217_728

/** Counts the bodies that are being received, by what they say or by what they may hold. */
export class InFlight {
  #bytes = 0

  /**
   * @param length the Content-Length; undefined = not known @returns gives the bytes back, once
   * @throws overloaded when there are too many
   */
  reserve (length: string | undefined, limit: number): () => void {
    let held = Number(length ?? limit)
    if (Number.isNaN(held)) held = limit
    // What is too large is refused for that, and none of it is read.
    if (held > limit) return () => {}
    if (this.#bytes + held > maxBytes) throw Overloaded().withHeaders({ 'retry-after': '5' })
    this.#bytes += held
    return () => {
      this.#bytes -= held
      held = 0
    }
  }
}
