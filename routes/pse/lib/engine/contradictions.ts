import { measuresOf } from '../checks/measures.js'
import type { Unit } from './read-source.js'
import { contentWords, numberIn } from './words.js'

export interface Contradiction { one: Unit, other: Unit }

/** Words that say how a number bounds, not what it bounds. */
const bounds = new Set(['least', 'most', 'within', 'after', 'before', 'every', 'per', 'exceed', 'more', 'less', 'not',
  'no', 'must', 'should', 'shall', 'only', 'always'])

const stem = (word: string): string => word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, '') : word

/** `rest`: the numbers without a unit, which name things. */
interface Measured { unit: Unit, words: Set<string>, number: string, of: string, rest: string }

/** A demand with one number that has a unit. */
const measured = (unit: Unit): Measured[] => {
  const all = measuresOf(unit.text)
  const measures = all.filter((one) => one.unit !== undefined)
  const [only] = measures
  if (measures.length !== 1 || only?.unit === undefined) return []
  const words = new Set([...contentWords(unit.text)]
    .filter((word) => numberIn(word) === undefined && !bounds.has(word)).map(stem))
  return words.size < 2
    ? []
    : [{
        unit,
        words,
        number: only.number,
        of: only.unit,
        rest: all.filter((one) => one !== only).map(({ number }) => number).join()
      }]
}

const alike = (one: Measured, other: Measured): boolean => {
  let shared = 0
  for (const word of one.words) if (other.words.has(word)) shared++
  return shared >= 2 && shared / Math.min(one.words.size, other.words.size) >= 0.75 &&
    shared / Math.max(one.words.size, other.words.size) >= 0.5
}

/** A word of this many demands does not help to find similar ones. */
const maxHolders = 30
const maxFound = 20

/** @returns pairs of demands of all inputs that put another number on the same thing, in linear time */
export const contradictionsOf = (units: readonly Unit[]): Contradiction[] => {
  const holders = new Map<string, Measured[]>()
  const found: Contradiction[] = []
  for (const unit of units) {
    if (unit.sense !== 'normative') continue
    for (const own of measured(unit)) {
      // What differs in the numbers without a unit is not of the same thing.
      const keys = [...own.words].map((word) => `${own.of} ${own.rest} ${word}`)
      const near = new Set(keys.flatMap((key) => holders.get(key) ?? []))
      const other = [...near].find((one) => one.number !== own.number && alike(one, own))
      if (other && found.length < maxFound) found.push({ one: other.unit, other: unit })
      for (const key of keys) {
        const held = holders.get(key) ?? []
        if (held.length < maxHolders) held.push(own)
        holders.set(key, held)
      }
    }
  }
  return found
}
