import { isImperative } from '../classify/imperatives.js'
import type { ReadLanguage } from '../classify/language.js'
import { modalsOf } from '../classify/normative.js'
import { type Role, roleOf, type Sentence } from 'steward-document-reader/document'
import { isWhole, joinBelow } from './open-items.js'
import type { Unit } from './read-source.js'

/** "The system shall, at a minimum:" */
export const filler = /,? ?\b(?:at (?:a )?minimum|at (?:the very )?least|as a minimum|in particular|mindestens|insbesondere|au minimum|notamment|como mínimo|al menos),?(?= ?:?$)/i

/** "RF1 | Debe abrir": a sentence of its own, beside an id. */
const isOwn = (text: string, first: string): boolean => /^\p{Lu}/u.test(text) && /^\p{L}{1,8}[-_. ]?\d/u.test(first)

/** "sku | must exist in the catalogue": the column says it of what the row names. */
const explaining = /^(?:descriptions?|meaning|rules?|constraints?|validation|beschreibung|bedeutung|regeln?|descripción|règles?)$/i

/**
 * @param stem the line above its list that it completes
 * @param above the item that it stands below
 * @returns the sentence with what it cannot be understood without: its column's stem, its row's name, its list's stem
 */
export const whole = ({ text, cell, block }: Sentence, stem: Sentence | undefined, language: ReadLanguage,
  above: Unit | undefined): string => {
  if (cell && cell.stem !== '') return `${cell.stem} ${text}`
  const isOfRow = cell?.role === 'text' || (cell !== undefined && explaining.test(cell.column) && !/^\d/.test(cell.first))
  const [first] = isOfRow ? modalsOf(text, language, cell.role === 'text') : []
  const named = cell !== undefined && cell.first !== text && /\p{L}/u.test(cell.first) && !isOwn(text, cell.first)
  if (named && first?.start === 0) return `${cell.first} ${text}`
  if (stem && above?.stem === stem && !isWhole(text, language)) return joinBelow(above.text, text)
  if (stem && block.kind === 'item' && !isWhole(text, language)) {
    const isVerb = language === 'en' && isImperative(text, language)
    const rest = isVerb ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text
    return `${stem.text.replace(/(?<!\s)\s*:$/, '').replace(filler, '').trimEnd()} ${rest}`
  }
  const isBare = block.kind === 'item' && !text.endsWith('?') &&
    (modalsOf(text, language, true)[0]?.start === 0 || /^(?:REQUIRED|OPTIONAL|RECOMMENDED)\b/.test(text))
  if (block.kind === 'item' && /^(?:never|not) /i.test(text) && modalsOf(text, language, true).length === 0) {
    const topic = topicOf(block.headings)
    return topic === undefined ? text : `${topic}: ${text.charAt(0).toLowerCase()}${text.slice(1)}`
  }
  return isBare ? withTopic(text, block.headings) : text
}

/** Headings of chapters, which name no thing that a sentence is about. */
const chapters: ReadonlySet<Role | undefined> =
  new Set<Role>(['goals', 'non_goals', 'problem', 'summary', 'design', 'acceptance'])

/** Headings that name no thing. */
const nameless = /^(?:constraints?|requirements?|rules?|notes?|details|attributes|what .*|.*:)$/i

const topicOf = (headings: readonly string[]): string | undefined => headings.slice(headings.length > 1 ? 1 : 0)
  .findLast((title) => !nameless.test(title) && !chapters.has(roleOf([title])))

/** "MUST be unique" below the heading "id" says it of the id. */
const withTopic = (text: string, headings: readonly string[]): string => {
  const topic = topicOf(headings)
  const verb = /^(?:REQUIRED|OPTIONAL|RECOMMENDED)\b/.test(text) ? 'is ' : ''
  return topic === undefined || topic.length > 60 ? text : `${topic} ${verb}${text}`
}
