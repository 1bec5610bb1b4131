import { measuresOf } from '../checks/measures.js'
import { aside } from '../classify/verdict.js'
import type { Unit } from './read-source.js'
import { contentWords } from './words.js'

const decided = /\b(?:decision|(?<!(?:not|nothing|never|hasn['’]t|haven['’]t|i) )decided(?! nothing)|agreed|(?:we|we['’]ll|i['’]ll|let['’]s) (?:will )?(?:go with|settle on|set (?:this|it|that) to|make (?:this|it|that|the \w+))|going (?:to go )?with|(?:i['’]ll|i will|we['’]ll|we will|let['’]s|going to) (?:set|use|bump|raise|lower|increase|reduce|change|update)(?= [^?]*\d)|final(?:ly)?|settled|resolved)\b/i
const against = /\bdecided against ([^:.;]{3,200})/i

/** Words that most demands share. */
const common = new Set(['must', 'shall', 'should', 'after', 'before', 'when', 'users', 'user'])

const stem = (word: string): string => word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, '') : word

const matterOf = (text: string): Set<string> =>
  new Set([...contentWords(text)].filter((word) => !common.has(word) && !/^\d/.test(word)).map(stem))

interface Decision { at: number, author: string, time: string, text: string, words: Set<string>, units: Set<string> }

const unitsOf = (text: string): Set<string> => new Set(measuresOf(text).flatMap(({ unit }) => unit ?? []))

/** "Let's set this to 15 minutes" names the thing by a pronoun. */
const points = /\b(?:set|make|go with|settle on) (?:this|it|that)\b/i

/** Whether two sentences measure the same thing: a unit, and a word that says of what. */
const isSameMeasure = (text: string, { words, units, text: decision }: Decision): boolean => {
  if (![...unitsOf(text)].some((unit) => units.has(unit))) return false
  if (points.test(decision)) return true
  const shared = [...matterOf(text)].filter((word) => words.has(word))
  return shared.some((word) => ![...units].some((unit) => stem(word).startsWith(stem(unit).slice(0, 3))))
}

const isDroppedBy = (text: string, decision: Decision): boolean => {
  const dropped = against.exec(decision.text)?.[1]
  if (dropped === undefined) return false
  const words = matterOf(dropped)
  const shared = [...matterOf(text)].filter((word) => words.has(word)).length
  return words.size > 1 && shared / words.size > 0.6
}

const decisionsOf = (units: readonly Unit[]): Decision[] => units.flatMap((unit, at) => {
  const { comment } = unit.block
  const isDecision = comment && !unit.text.endsWith('?') &&
    (decided.test(unit.source.text.slice(unit.start, unit.end)) || unit.why === 'It was decided')
  if (!isDecision) return []
  const text = unit.source.text.slice(unit.start, unit.end)
  return [{ at, author: comment.author, time: comment.at, text, words: matterOf(text), units: unitsOf(text) }]
})

/** Decisions of one thread that are compared: the newest ones. */
const most = 20

/**
 * In a thread the newest decision wins: what others said before it of the same thing is history.
 * @returns the units, with those set aside that a later comment decides otherwise
 */
export const settleThread = (units: Unit[]): Unit[] => {
  const decisions = decisionsOf(units).slice(-most).reverse()
  if (decisions.length === 0) return units
  return units.map((unit, at) => {
    if (unit.sense !== 'normative') return unit
    const winner = decisions.find((decision) =>
      decision.at > at && unit.block.comment !== units[decision.at]?.block.comment &&
      (isSameMeasure(unit.text, decision) || isDroppedBy(unit.text, decision)))
    return winner
      ? {
          ...unit,
          ...aside('history', `The comment of ${winner.author}, ${winner.time}, decides otherwise`),
          isMust: false
        }
      : unit
  })
}
