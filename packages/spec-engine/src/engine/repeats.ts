import type { Unit } from './read-source.js'

/** A sentence that an input says more often is cited so many times: the document stays small, and says how often. */
export const maxSame = 20

/** @returns the input and the words of a sentence, with those of the line above its list */
export const wordingOf = ({ source, start, end, stem }: Pick<Unit, 'source' | 'start' | 'end' | 'stem'>): string =>
  `${source.input_id} ${stem ? source.text.slice(stem.start, stem.end) : ''} ${source.text.slice(start, end)}`

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
