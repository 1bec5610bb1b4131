import type { Citation } from '../schemas/document.js'
import type { Source } from '../engine/material.js'

/** A range that a document cites or lists; with `repeats` its words stand in the inputs more often than that. */
export type ListedRange = Pick<Citation, 'input_id' | 'char_start' | 'char_end'> & { repeats?: number }

const begins = /^\s{0,6}$|[\n|:]|[.!?;…][)”"']?\s{1,6}$/
const ends = /[.!?:;…][)”"']?\s{0,2}$|\n\s{0,2}$/
const near = 6

/** Whether a sentence or line begins and ends there: "Doors must open." is none of "Not all Doors must open." */
const isWhole = (text: string, from: number, to: number): boolean =>
  begins.test(text.slice(Math.max(0, from - near), from)) &&
  (to >= text.length || ends.test(text.slice(to - 2, to)) || /^\s*[\n|]/.test(text.slice(to, to + near)))

/** The words around a verb, as the number of characters before it and in all. */
interface Shape { before: number, length: number, texts: Set<string> }

/** Finds where an input repeats word for word what a document cites or lists with `repeats`. */
export class VerbatimRepeats {
  readonly #shapes = new Map<string, Shape>()
  readonly #texts: Map<string, string>

  /** @param verbsIn the offsets of what demands in a text */
  constructor (ranges: readonly ListedRange[], inputs: readonly Source[], verbsIn: (text: string) => number[]) {
    this.#texts = new Map(inputs.map(({ input_id: id, text }) => [id, text]))
    const seen = new Set<string>()
    for (const { input_id: id, char_start: from, char_end: to, repeats } of ranges) {
      const text = this.#texts.get(id) ?? ''
      const sentence = text.slice(from, to)
      if (repeats === undefined || seen.has(`${id} ${sentence}`) || !isWhole(text, from, to)) continue
      seen.add(`${id} ${sentence}`)
      for (const before of verbsIn(sentence)) this.#add(id, before, sentence)
    }
  }

  #add (id: string, before: number, sentence: string): void {
    const key = `${before} ${sentence.length}`
    const shape = this.#shapes.get(key) ?? { before, length: sentence.length, texts: new Set() }
    shape.texts.add(`${id} ${sentence}`)
    this.#shapes.set(key, shape)
  }

  /** @returns whether the words around this verb are such words */
  has (id: string, at: number): boolean {
    const text = this.#texts.get(id) ?? ''
    for (const { before, length, texts } of this.#shapes.values()) {
      const from = at - before
      if (from >= 0 && texts.has(`${id} ${text.slice(from, from + length)}`) && isWhole(text, from, from + length)) {
        return true
      }
    }
    return false
  }
}
