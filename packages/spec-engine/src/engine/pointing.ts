import { isQuoted } from '../classify/classify.js'
import { quantitiesOf, type Quantity } from './quantities.js'
import type { Unit } from './read-source.js'
import { shorten } from './words.js'

/** "Let's set this to 15 minutes" names the thing by a pronoun. */
export const points = /\b(?:set|make|go with|settle on|change|raise|lower|increase|reduce|cut) (?:this|it|that)\b/i

/** Sentences on each side of a pronoun among which it finds what it points to. */
const near = 40

/** A thought: what is decided of it is not in its words. */
const tentative = /\b(?:probably|maybe|perhaps|might|could)\b/i

const only = ({ text, language }: Unit): Quantity | undefined => {
  const { quantities } = quantitiesOf(text, language)
  return quantities.length === 1 ? quantities[0] : undefined
}

/** "The door must stay open for 60 seconds" and "Let's make that 90 seconds": the demand with the new number. */
const joined = (unit: Unit, own: Quantity, older: Unit): Unit | undefined => {
  const its = only(older)
  if (its?.of !== own.of || older.text.endsWith('?') || tentative.test(older.text)) return undefined
  const text = older.text.slice(0, its.start) + unit.text.slice(own.start, own.end) + older.text.slice(its.end)
  const { comment } = unit.block
  return {
    ...unit,
    text,
    stem: older,
    isMust: true,
    note: shorten(`Decided by ${comment?.author ?? ''}${comment?.at ? `, ${comment.at}` : ''}: “${unit.text}”`, 1_000)
  }
}

/**
 * Gives a decision that names its thing by a pronoun the words of what it points to: the last demand before it, or the
 * passage quoted above it, that measures the same.
 * @param order when a message was written
 */
export const resolvePointing = (units: readonly Unit[], order: (unit: Unit, at: number) => number): Unit[] =>
  units.map((unit, at) => {
    const own = unit.sense === 'normative' && unit.block.comment && points.test(unit.text) ? only(unit) : undefined
    if (!own) return unit
    const first = Math.max(0, at - near)
    const before = units.slice(first, at + near)
      .map((one, offset) => ({ one, index: first + offset, when: order(one, first + offset) }))
      .filter(({ one, index, when }) => (one.sense === 'normative' && one !== unit && when < order(unit, at)) ||
        (index < at && one.block.comment === unit.block.comment && (one.sense === 'normative' || isQuoted(one.block))))
      .sort((one, other) => other.when - one.when || other.index - one.index)
    for (const { one } of before) {
      const found = joined(unit, own, one)
      if (found) return found
    }
    return unit
  })
