import type { Requirement } from '../schemas/document.js'
import type { Unit } from './triage.js'

type Priority = Requirement['priority']

/** "P1", "Priority 2": how much a source wants something. */
const numbered = /(?:^|[^\p{L}\d])(?:p|priority:? ?|prio(?:rit(?:ät|é))?:? ?)([0-3])(?![\p{L}\d])/iu
/** Words of a column, or of a heading as a whole, for the three priorities: "High availability" is none. */
const words: [Priority, RegExp][] = [
  ['P1', /^(?:m|pflicht|must|mandatory|critical|blocker|highest|high|essential|muss|hoch|haute|élevée|alta)$/iu],
  ['P2', /^(?:s|should|medium|normal|important|soll|mittel|moyenne|media)$/iu],
  ['P3', /^(?:c|k|wunsch|could|nice[- ]to|nice|optional|lowest|low|kann|niedrig|basse|baja)$/iu]
]
/** What stands beside such a word: a number in front, "-have", "priority". */
const beside = /^[^\p{L}]+|^[^-–—]{2,40} [-–—] (?=(?:must|should|could|nice)[- ])|[- ](?:to[- ])?haves?(?: for .{1,60})?$|[- ](?:priority|priorität|requirements|anforderungen)$|:$/giu

const priorityOf = (rank: number): Priority =>
  (['P1', 'P2', 'P3'] as const)[Math.min(Math.max(rank, 1), 3) - 1] ?? 'P3'

/** @param fromZero the source counts from P0, which is this document's P1 */
const read = (text: string, fromZero: boolean): Priority | undefined => {
  const rank = numbered.exec(text)?.[1]
  if (rank !== undefined) return priorityOf(Number(rank) + (fromZero ? 1 : 0))
  const word = text.trim().replace(beside, '')
  return words.find(([, pattern]) => pattern.test(word))?.[0]
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
  const texts = [cell?.priority ?? '', ...headings.toReversed()].filter((text) => text !== '' && text.length <= 60)
  const isFromZero = texts.length > 0 && countsFromZero(unit)
  for (const text of texts) {
    const found = read(text, isFromZero)
    if (found) return found
  }
  return undefined
}
