import { measuresOf } from '../checks/measures.js'
import { aside } from '../classify/verdict.js'
import type { Comment } from 'steward-document-reader/document'
import { contradictionsOf } from './contradictions.js'
import { points, resolvePointing } from './pointing.js'
import type { Unit } from './read-source.js'
import { contentWords } from './words.js'

const decided = /\b(?:decision|(?<!(?:not|nothing|never|hasn['’]t|haven['’]t|i) )decided(?! nothing)|agreed|(?:we|we['’]ll|i['’]ll|let['’]s) (?:will )?(?:go with|start with|stick (?:with|to)|stay (?:with|at)|settle on|set (?:this|it|that) to|make (?:this|it|that|the \w+))|going (?:to go )?with|(?:i['’]ll|i will|we['’]ll|we will|let['’]s|going to) (?:set|use|bump|raise|lower|increase|reduce|change|update)(?= [^?]{0,300}\d)|final(?:ly)?|settled|resolved|beschlossen|entschieden|einigen uns|décidé|convenu|retenu|decidido|acordado)\b|^(?:correction|update|beschluss|korrektur|décision|decisión|corrección):/i
const against = /\bdecided against ([^:.;]{3,200})/i

/** Words that most demands share. */
const common = new Set(['must', 'shall', 'should', 'after', 'before', 'when', 'users', 'user'])

const stem = (word: string): string => word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, '') : word

const matterOf = (text: string): Set<string> =>
  new Set([...contentWords(text)].filter((word) => !common.has(word) && !/^\d/.test(word)).map(stem))

interface Decision {
  at: number
  start: number
  comment: Comment
  text: string
  words: Set<string>
  units: Set<string>
}

/** The order in which the messages of a thread were written; what stands above them is older. */
const orderOf = ({ block: { comment } }: Unit, at: number): number => comment?.rank ?? (comment ? at : -1)

const unitsOf = (text: string): Set<string> => new Set(measuresOf(text).flatMap(({ unit }) => unit ?? []))

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
  return [{ at: orderOf(unit, at), start: unit.start, comment, text, words: matterOf(text), units: unitsOf(text) }]
})

const reasonOf = ({ author, at, rank }: Comment): string =>
  `The ${rank === undefined ? 'comment' : 'message'} of ${author}${at === '' ? '' : `, ${at}`}, decides otherwise`

/** Decisions of one thread that are compared: the newest ones. */
const most = 20

const wins = (decision: Decision, unit: Unit, at: number, disputed: ReadonlySet<string>): boolean =>
  decision.at > orderOf(unit, at) && unit.block.comment !== decision.comment &&
  (isSameMeasure(unit.text, decision) || isDroppedBy(unit.text, decision) ||
    disputed.has(`${decision.start} ${unit.start}`))

/** Where a decision and another demand that it contradicts begin. */
const disputedBy = (units: readonly Unit[], decisions: readonly Decision[]): Set<string> => {
  const starts = new Set(decisions.map(({ start }) => start))
  const found = contradictionsOf(units.filter(({ sense, block }) => sense === 'normative' && block.comment))
  return new Set(found.flatMap(({ one, other }) => [`${one.start} ${other.start}`, `${other.start} ${one.start}`])
    .filter((key) => starts.has(Number(key.split(' ')[0]))))
}

/**
 * In a thread the newest decision wins: what others wrote before it of the same thing is history.
 * @returns the units, with those set aside that a later message decides otherwise
 */
export const settleThread = (all: Unit[]): Unit[] => {
  const decisions = decisionsOf(all).sort((one, other) => one.at - other.at).slice(-most).reverse()
  if (decisions.length === 0) return all
  const units = resolvePointing(all, orderOf)
  const disputed = disputedBy(units, decisions)
  return units.map((unit, at) => {
    if (unit.sense !== 'normative') return unit
    const winner = decisions.find((decision) => wins(decision, unit, at, disputed))
    return winner ? { ...unit, ...aside('history', reasonOf(winner.comment)), isMust: false } : unit
  })
}
