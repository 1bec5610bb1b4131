import type { Level, Requirement, SpecSettings } from '../../../../schemas/pse/document.js'
import { languageOf, modalsOf, type Modal } from './normative.js'
import { capitalise, shorten } from './words.js'

/** A requirement's statement; subject, condition and response are null where no mechanical mapping exists. */
export interface Statement {
  statement: string
  pattern: Requirement['pattern']
  level: Level
  subject: string | null
  condition: string | null
  response: string | null
}

const openers: [RegExp, string][] = [
  [/^(?:when|whenever|once|as soon as) /i, 'WHEN'], [/^if /i, 'IF'], [/^(?:while|as long as) /i, 'WHILE'],
  [/^where /i, 'WHERE']
]
const otherOpener = /^(?:after|before|during|unless|until|on|upon|in case) /i
const patternOf: Record<string, Requirement['pattern']> =
  { WHEN: 'event', IF: 'unwanted', WHILE: 'state', WHERE: 'optional' }
const system = /^(?:the |this |our )?(?:system|application|app|platform|service|product|solution|software)$/i
const maxSubjectWords = 12
const keywordOf: Record<Level, string> = { MUST: 'SHALL', SHOULD: 'SHOULD', MAY: 'MAY' }

const free = (sentence: string, level: Level): Statement =>
  ({ statement: sentence, pattern: 'free', level, subject: null, condition: null, response: null })

const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]+(?: |$)/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text

interface Clauses { opener: string | undefined, condition: string, rest: string }

/** Splits "When X, Y" at its comma. @returns undefined where no mechanical mapping exists */
const clausesOf = (sentence: string): Clauses | undefined => {
  if (otherOpener.test(sentence)) return undefined
  const found = openers.find(([pattern]) => pattern.test(sentence))
  if (!found) return { opener: undefined, condition: '', rest: sentence }
  const comma = sentence.indexOf(', ')
  if (comma === -1) return undefined
  const condition = sentence.slice(0, comma).replace(found[0], '')
  return { opener: found[1], condition, rest: sentence.slice(comma + 2).replace(/^then /i, '') }
}

const able = /^(?:be able to|be possible to|be allowed to|be permitted to) /i

/** @returns subject, keyword and response of the main clause; undefined = no mechanical mapping */
const mainClause = (rest: string, modal: Modal): { subject: string, response: string } | undefined => {
  const before = rest.slice(0, modal.start).trim()
  const after = rest.slice(modal.end).trim().replace(/\.$/, '')
  const isSubject = before !== '' && before.split(' ').length <= maxSubjectWords && !/[,;:]/.test(before)
  if (!isSubject || after === '') return undefined
  if (/^(?:only|either|neither|also either)\b/i.test(after) || /^there$/i.test(before)) return undefined
  const grants = able.test(after) || (modal.weak && /^can/i.test(modal.word))
  if (!grants) return { subject: system.test(before) ? 'THE SYSTEM' : before, response: after }
  const action = after.replace(able, '')
  if (system.test(before)) return { subject: 'THE SYSTEM', response: action }
  if (/^(?:it|this|that)$/i.test(before)) return undefined
  return { subject: 'THE SYSTEM', response: `allow ${lowerFirst(before)} to ${action}` }
}

const compose = ({ opener, condition, rest }: Clauses, modal: Modal): Statement | undefined => {
  const parts = mainClause(rest, modal)
  if (!parts) return undefined
  const keyword = `${keywordOf[modal.level]}${modal.negative ? ' NOT' : ''}`
  const subject = opener && parts.subject !== 'THE SYSTEM' ? lowerFirst(parts.subject) : capitalise(parts.subject)
  const head = opener ? `${opener} ${condition}, ${opener === 'IF' ? 'THEN ' : ''}${subject}` : subject
  return {
    statement: `${head} ${keyword} ${parts.response}.`,
    pattern: opener ? patternOf[opener] ?? 'free' : 'ubiquitous',
    level: modal.level,
    subject,
    condition: opener ? condition : null,
    response: parts.response
  }
}

/** In languages without EARS only the modal verb changes, to capitals. */
const emphasise = (sentence: string, modal: Modal): Statement => ({
  ...free(sentence, modal.level),
  statement: `${sentence.slice(0, modal.start)}${modal.word.toUpperCase()}${sentence.slice(modal.end)}`
})

/**
 * Rewrites a sentence only where the mapping is mechanical: "When X, Y must Z" → "WHEN X, Y SHALL Z". Otherwise the
 * sentence stays word for word, with the pattern `free`.
 */
export const rewrite = (sentence: string, { locale }: Pick<SpecSettings, 'locale'>): Statement => {
  const modals = modalsOf(sentence, locale, true)
  const first = modals.find(({ weak }) => !weak) ?? modals[0]
  if (!first) return free(sentence, 'MUST')
  if (languageOf(locale) !== 'en') return emphasise(sentence, first)
  const clauses = clausesOf(sentence)
  if (!clauses) return free(sentence, first.level)
  const main = modalsOf(clauses.rest, locale, true)
  const [only] = main
  // A person must resolve a sentence with two modal verbs, or with one inside its condition.
  const isPlain = main.length === 1 && modalsOf(clauses.condition, locale, false).length === 0
  if (!only || !isPlain) return free(sentence, first.level)
  return compose(clauses, only) ?? free(sentence, only.level)
}

const weakEnds = new Set(['the', 'a', 'an', 'to', 'of', 'in', 'on', 'at', 'by', 'for', 'with', 'and', 'or', 'from',
  'into', 'than', 'within', 'that', 'which', 'its', 'their'])

const isWeakEnd = (word: string): boolean => weakEnds.has(word.toLowerCase()) || /^\d/.test(word)

/** @returns a title made of the first words of the requirement's response */
export const titleOf = ({ response, subject, statement }: Omit<Statement, 'pattern' | 'level' | 'condition'>) => {
  const actor = (subject ?? '').replace(/^(?:the|a|an) /i, '')
  const text = response === null ? statement : subject === 'THE SYSTEM' ? response : `${actor}: ${response}`
  const words = text.replace(/[.;:]\s*$/, '').split(/\s+/)
  const kept = words.slice(0, 10)
  while (kept.length > 2 && kept.length < words.length && isWeakEnd(kept.at(-1) ?? '')) kept.pop()
  return shorten(capitalise(kept.join(' ').replace(/[,;:]$/, '')), 120)
}
