import type { Requirement } from '../../../../schemas/pse/document.js'
import type { Unit } from './read-source.js'

type Priority = Requirement['priority']

/** "P1", "Priority 2": how much a source wants something. */
const numbered = /(?:^|[^\p{L}\d])(?:p|priority:? ?|prio(?:rit(?:ät|é))?:? ?)([0-3])(?![\p{L}\d])/iu
/** Words of a column, or of a heading, for the three priorities. */
const words: [Priority, RegExp][] = [
  ['P1', /^(?:must(?:[- ]haves?)?|mandatory|critical|blocker|highest|high|essential|muss|hoch|haute|élevée|alta)\b/iu],
  ['P2', /^(?:should(?:[- ]haves?)?|medium|normal|important|soll|mittel|moyenne|media)\b/iu],
  ['P3', /^(?:could(?:[- ]haves?)?|nice[- ]to[- ]haves?|optional|low(?:est)?|kann|niedrig|basse|baja)\b/iu]
]

const at = (place: number): Priority => (['P1', 'P2', 'P3'] as const)[Math.min(Math.max(place, 1), 3) - 1] ?? 'P3'

/** @param fromZero the source counts from P0, which is this document's P1 */
const read = (text: string, fromZero: boolean): Priority | undefined => {
  const place = numbered.exec(text)?.[1]
  if (place !== undefined) return at(Number(place) + (fromZero ? 1 : 0))
  return words.find(([, pattern]) => pattern.test(text.replace(/^[\d.\s]+/, '')))?.[0]
}

/** Sources that count from P0. */
const zero = new WeakMap<object, boolean>()

const countsFromZero = ({ source }: Pick<Unit, 'source'>): boolean => {
  const known = zero.get(source)
  if (known !== undefined) return known
  const found = /(?:^|[^\p{L}\d])P0(?![\p{L}\d])/u.test(source.text)
  zero.set(source, found)
  return found
}

/** @returns what the source says of the sentence's priority: in its table's column, else in the headings above it */
export const statedPriority = (unit: Pick<Unit, 'source' | 'headings' | 'cell'>): Priority | undefined => {
  const { cell, headings } = unit
  const places = [cell?.priority ?? '', ...headings.toReversed()].filter((text) => text !== '' && text.length <= 60)
  const isFromZero = places.length > 0 && countsFromZero(unit)
  for (const place of places) {
    const found = read(place, isFromZero)
    if (found) return found
  }
  return undefined
}
