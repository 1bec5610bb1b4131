/** Pairs of lines, some 40 ms of a processor. A thousand edits in a text of five thousand lines take a third. */
const usualPairs = 500_000

class Spent extends Error {}

/**
 * What comparing texts may take: the work of a comparison grows with their lines times their edits, so it is counted.
 * Comparisons of one answer share it.
 */
export class Effort {
  #left: number

  constructor (pairs = usualPairs) {
    this.#left = pairs
  }

  /** @returns what is found by the given way to compare two lines; undefined when that takes more than is left */
  spend<T> (find: (areSame: (one: string, other: string) => boolean) => T | undefined): T | undefined {
    try {
      return find((one, other) => {
        if (this.#left <= 0) throw new Spent()
        this.#left -= 1
        return one === other
      })
    } catch (error) {
      if (error instanceof Spent) return undefined
      throw error
    }
  }
}
