import { findTerm, isWordPart, type Range } from './ranges.js'

const word = /[\p{L}\p{N}_]+/gu

/** @returns the end of the blanks from an offset; a blank line ends a passage, and so a term */
const blanksEnd = (text: string, at: number): number => {
  let end = at
  while (/\s/.test(text.charAt(end))) end++
  return text.slice(at, end).includes('\n\n') ? at : end
}

/** Where each word of a text stands, so that thousands of terms take one pass over it. */
export class WordIndex {
  readonly #starts = new Map<string, number[]>()

  constructor (readonly text: string) {
    for (const { 0: found, index } of text.matchAll(word)) {
      const starts = this.#starts.get(found)
      if (starts) starts.push(index)
      else this.#starts.set(found, [index])
    }
  }

  has (word: string): boolean {
    return this.#starts.has(word)
  }

  /** @returns where a term stands as whole words; a line may end between two of them */
  find (term: string): Range[] {
    const [first = '', ...rest] = term.trim().split(/\s+/)
    const [head = ''] = /^[\p{L}\p{N}_]+/u.exec(first) ?? []
    if (head === '') return findTerm(this.text, term)
    return (this.#starts.get(head) ?? []).flatMap((start): Range[] => {
      if (!this.text.startsWith(first, start)) return []
      let end = start + first.length
      for (const next of rest) {
        const at = blanksEnd(this.text, end)
        if (at === end || !this.text.startsWith(next, at)) return []
        end = at + next.length
      }
      return isWordPart(this.text[end]) && isWordPart(this.text[end - 1]) ? [] : [[start, end]]
    })
  }
}
