import type { Unit } from './triage.js'

/** A sentence that an input says more often is cited so many times: the document stays small, and says how often. */
export const maxSame = 20

/** @returns the input and the words of a sentence */
export const wordingOf = ({ source, start, end }: Pick<Unit, 'source' | 'start' | 'end'>): string =>
  `${source.input_id} ${source.text.slice(start, end)}`

/** Counts how often the same words stand in an input. */
export class Repeats {
  readonly #seen = new Map<string, number>()
  /** What stood again, and was not to be cited. */
  more = 0

  /** @returns whether the document is to cite this one too */
  take (wording: string): boolean {
    const count = (this.#seen.get(wording) ?? 0) + 1
    this.#seen.set(wording, count)
    if (count > maxSame) this.more++
    return count <= maxSame
  }
}
