/** How many pieces are kept before they are joined. */
const mostPieces = 16

/**
 * A text that grows by small pieces and is seldom read. By `+=` V8 would keep a tree of it, in which each token costs
 * some sixty bytes and may hold the chunk of the network that it was cut from.
 */
export class StringBuilder {
  #text = ''
  #pieces: string[] = []

  add (piece: string): void {
    if (this.#pieces.push(piece) >= mostPieces) this.#join()
  }

  get isEmpty (): boolean { return this.#text === '' && this.#pieces.length === 0 }

  toString (): string {
    this.#join()
    return this.#text
  }

  #join (): void {
    if (this.#pieces.length === 0) return
    this.#text = [this.#text, ...this.#pieces].join('')
    this.#pieces = []
  }
}
