import type { Citation } from '../../../../schemas/pse/document.js'
import type { Source } from '../engine/material.js'

/** A place that a document gives; with `repeats` the same words stand in the inputs more often than it says where. */
export type Place = Pick<Citation, 'input_id' | 'char_start' | 'char_end'> & { repeats?: number }

const begins = /^\s*$|[\n|:]|[.!?;…][)”"']?\s+$/
const ends = /[.!?:;…][)”"']?\s*$|\n\s*$/
const near = 6

/** Whether a sentence or line begins and ends there: "Doors must open." is none of "Not all Doors must open." */
const isWhole = (text: string, from: number, to: number): boolean =>
  begins.test(text.slice(Math.max(0, from - near), from)) &&
  (to >= text.length || ends.test(text.slice(to - 2, to)) || /^\s*[\n|]/.test(text.slice(to, to + near)))

/** The words around a verb, as the number of characters before it and in all. */
interface Shape { before: number, length: number, texts: Set<string> }

/** Finds where an input says in the same words what a document gives with `repeats`. */
export class SaidAgain {
  readonly #shapes = new Map<string, Shape>()
  readonly #texts: Map<string, string>

  /** @param verbsIn the offsets of what demands in a text */
  constructor (places: readonly Place[], inputs: readonly Source[], verbsIn: (text: string) => number[]) {
    this.#texts = new Map(inputs.map(({ input_id: id, text }) => [id, text]))
    const seen = new Set<string>()
    for (const { input_id: id, char_start: from, char_end: to, repeats } of places) {
      const text = this.#texts.get(id) ?? ''
      const said = text.slice(from, to)
      if (repeats === undefined || seen.has(said) || !isWhole(text, from, to)) continue
      seen.add(said)
      for (const before of verbsIn(said)) this.#add(id, before, said)
    }
  }

  #add (id: string, before: number, said: string): void {
    const key = `${before} ${said.length}`
    const shape = this.#shapes.get(key) ?? { before, length: said.length, texts: new Set() }
    shape.texts.add(`${id} ${said}`)
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
