import { commandsSystem, isImperative } from '../classify/imperatives.js'
import type { ReadLanguage } from '../classify/language.js'
import { modalsOf } from '../classify/normative.js'
import type { Subject, Verdict } from '../classify/verdict.js'
import type { Sentence } from 'steward-document-reader/document'
import type { Unit } from './read-source.js'
import { pronoun } from './rewrite.js'
import { capitalise } from './words.js'

type Part = Pick<Unit, 'text' | 'block'>

/** The items that are open above an item of a nested list, outermost first. */
export class OpenItems {
  #open: Unit[] = []

  /** @returns the item that this one stands below, in the same list */
  above ({ block, headings }: Sentence): Unit | undefined {
    if (block.kind !== 'item') {
      this.#open = []
      return undefined
    }
    this.#open = this.#open.filter((unit) =>
      unit.headings === headings && (unit.block === block || unit.block.indent < block.indent))
    return this.#open.findLast((unit) => unit.block !== block)
  }

  /** Only the first sentence of an item stands for it. */
  add (unit: Unit | undefined): void {
    if (unit?.block.kind === 'item' && this.#open.at(-1)?.block !== unit.block) this.#open.push(unit)
  }
}

const bare = (text: string): string => text.replace(/(?<![\s.;,:])[\s.;,:]+$/, '')

/** "The system must export" and "as CSV" below it; what begins with a capital stands behind a colon. */
export const joinBelow = (above: string, text: string): string =>
  `${bare(above)}${/^\p{Ll}/u.test(text) ? '' : ':'} ${text}`

/** @returns the text with its parts, those of nested lists in brackets: "export (as CSV, as PDF); import" */
export const withParts = (text: string, parts: readonly Part[]): string => {
  const depths: number[] = []
  let joined = text.endsWith(':') ? text : `${bare(text)}:`
  parts.forEach(({ text: part, block: { indent } }, at) => {
    let closed = 0
    while ((depths.at(-1) ?? indent) > indent && depths.length > 1) closed += depths.pop() === undefined ? 0 : 1
    const isDeeper = at > 0 && indent > (depths.at(-1) ?? indent)
    if (depths.length === 0 || isDeeper) depths.push(indent)
    const between = at === 0 ? ' ' : isDeeper ? ' (' : depths.length > 1 ? ', ' : '; '
    joined += `${')'.repeat(closed)}${between}${bare(part)}`
  })
  return joined + ')'.repeat(Math.max(0, depths.length - 1))
}

/** Headings in a list that name no thing: "Must have", "Details". */
const nameless = /^(?:must|should|could|won['’]t|nice|details?|notes?|requirements?|features?|general|other|misc\w*|acceptance|and|or|e\.g)\b/i
const mostWords = 8

/** @returns what an item says that only names a thing, such as "Reports"; those below it are about that thing */
const topicOfItem = ({ text, sense, block, parts }: Unit): string | undefined => {
  const topic = bare(text)
  const isTopic = sense !== 'normative' && sense !== 'story' && sense !== 'step' && block.kind === 'item' &&
    parts.length === 0 && topic.split(' ').length <= mostWords && !/[.!?]$/.test(text) && !nameless.test(topic) && topic.length > 1
  return isTopic ? topic : undefined
}

/** A verb that makes a sentence of an item. */
const finite = /(?<!\p{L})(?:is|are|has|have|does|do|was|were|ist|sind|hat|haben|wird|werden|est|sont|a|ont|es|son|tiene|tienen)(?!\p{L})/iu

/** "Users can share a plan" needs no stem: it has a subject and a verb. */
export const isWhole = (text: string, language: ReadLanguage): boolean =>
  /^\p{Lu}/u.test(text) && (modalsOf(text, language, language === 'en')[0]?.start ?? 0) > 0

export const isBelow = ({ block }: Sentence, above: Unit): boolean => block.indent > above.block.indent

/** "as CSV" below "Users can export plans": a piece without a verb goes on with the demand above it. */
export const goesOn = ({ text, block, cell }: Sentence, above: Unit, language: ReadLanguage): boolean =>
  above.sense === 'normative' && !above.text.endsWith('?') && !cell && block.indent > above.block.indent &&
  !/[.?!:]$/.test(text) && text.split(' ').length <= 12 && modalsOf(text, language, true).length === 0 &&
  !isImperative(text, language) && !finite.test(text)

/** What has no subject of its own, or only a pronoun, is about the item above it. */
const needsTopic = ({ text, strong }: Subject): boolean =>
  strong.length === 0 ? !commandsSystem(text) && !/\.$/.test(text) : pronoun.test(text.slice(0, strong[0]?.start).trim())

/** @returns the item above, and the text behind what it names, for an item that cannot be understood without it */
export const belowTopic = (subject: Subject, { sense }: Verdict, above: Unit | undefined):
Pick<Unit, 'text' | 'stem'> | undefined => {
  // "4a. The PIN is wrong:" is the condition of the steps below it.
  const isStep = subject.role === 'flow' && above?.role === 'flow' && above.text.endsWith(':')
  if (isStep && sense === 'normative') return { text: joinBelow(above.text, subject.text), stem: above }
  const topic = above && sense === 'normative' && needsTopic(subject) ? topicOfItem(above) : undefined
  return topic === undefined ? undefined : { text: joinBelow(`${topic}:`, capitalise(subject.text)), stem: above }
}
