/** Finds lines and pages of offsets in one text; offsets come in any order. */
export class Locations {
  readonly #starts: number[] = [0]
  readonly #pages: number[] = []

  constructor (text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1)
    for (let at = text.indexOf('\f'); at !== -1; at = text.indexOf('\f', at + 1)) this.#pages.push(at)
  }

  #count (offsets: readonly number[], offset: number): number {
    let low = 0
    let high = offsets.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((offsets[middle] ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    return low
  }

  /** @returns "page 3" of a text with pages, else "line 12" */
  of (offset: number): string {
    return this.#pages.length > 0
      ? `page ${this.#count(this.#pages, offset) + 1}`
      : `line ${this.#count(this.#starts, offset)}`
  }
}
