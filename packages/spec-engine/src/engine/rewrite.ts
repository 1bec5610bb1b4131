import type { Level, Requirement, SpecSettings } from '../schemas/document.js'
import { commandsSystem } from '../classify/imperatives.js'
import { isCondition, keywordsOf, languageOf, levelOfKeyword, modalsOf, type Modal } from '../classify/normative.js'
import { capitalise } from './words.js'

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

/** The sentence's own words stand. */
export const free = (sentence: string, level: Level): Statement =>
  ({ statement: sentence, pattern: 'free', level, subject: null, condition: null, response: null })

const lowerFirst = (text: string): string =>
  /^(?:A|[A-Z][a-z]+)(?: |$)/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text

interface Clauses { opener: string | undefined, condition: string, rest: string }

export const pronoun = /^(?:(?:and |instead |then |therefore |so )?(?:he\/she|she\/he|s\/he|we|you|i|it|this|that|these|those|they|there|he|she|which|such|some|all of (?:this|these)))$/i
/** A subject with a verb of its own, or that goes on: the sentence is not plain. */
const verbal = /\b(?:is|are|was|were|means?|has|have|does|do|indicates?|ensures?|would|could|might|requires?|represents?)\b|\b(?:and|or|but|then|you|we|never|not|also|still|likely|only|n['’]t)$|^(?:we|i|you) /i
const lead = /^(?:(?:please )?note that|(?:and|but)(?! (?:if|when|while|where|once|then|so|not)\b)|however,|additionally,|also,|finally,|furthermore,|moreover,|in addition,|so(?! (?:that|far|long|as|many|much)\b)|thus,|therefore,|hence,|as such,) /i

/** Splits "When X, Y" at its only comma. @returns undefined where no mechanical mapping exists */
const clausesOf = (sentence: string): Clauses | undefined => {
  if (otherOpener.test(sentence)) return undefined
  const found = openers.find(([pattern]) => pattern.test(sentence))
  if (!found) return { opener: undefined, condition: '', rest: sentence }
  const comma = sentence.indexOf(', ')
  // A condition with commas of its own ends where only a reader sees it.
  const modal = modalsOf(sentence, 'en', true).find(({ start }) => start > comma)
  if (comma === -1 || !modal || sentence.slice(comma + 2, modal.start).includes(', ')) return undefined
  const condition = sentence.slice(0, comma).replace(found[0], '')
  return { opener: found[1], condition, rest: sentence.slice(comma + 2).replace(/^then /i, '') }
}

const loose = /^(?:\p{L}{2,20}ing|as|because|since|although|also|then|an? (?:result|example|consequence)|apart|besides|beside|instead|rather|with|without|for|in|from|as|by|to|so|other)\b/iu
const able = /^(?:be able to|be possible to|be allowed to|be permitted to) /i

/** @returns subject, keyword and response of the main clause; undefined = no mechanical mapping */
const mainClause = (rest: string, modal: Modal): { subject: string, response: string } | undefined => {
  const before = rest.slice(0, modal.start).trim()
  const after = rest.slice(modal.end).trim().replace(/(?<![.!;,])[.!;,]+$/, '')
  const isSubject = before !== '' && before.split(' ').length <= maxSubjectWords && !/[,;:]/.test(before)
  if (!isSubject || !/^[\p{L}\p{N}`["“'<≤≥±-]/u.test(after) || after.endsWith(':') || pronoun.test(before) || verbal.test(before)) return undefined
  if (modal.level === 'MAY' && /not|n['’]t/i.test(modal.word)) return undefined
  if (/^(?:only|either|neither|also either)\b/i.test(after) || /^there$/i.test(before)) return undefined
  const grants = able.test(after) || (modal.weak && /^can/i.test(modal.word))
  if (!grants) return { subject: system.test(before) ? 'THE SYSTEM' : before, response: after }
  const action = after.replace(able, '')
  // "X cannot Y" may be a fact, and "Apart from that X can Y" has no plain subject: the source's own words stand.
  if (modal.weak && (modal.negative || loose.test(before) || before.split(' ').length > 5)) return undefined
  if (system.test(before)) return { subject: 'THE SYSTEM', response: action }
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

/** "Filter by type (nice to have)", "(Wunsch) Auswertung". */
const optional = /\((?:[^()]{1,40} )?(?:optional|nice[- ]to[- ]have|if possible|wünschenswert|wunsch|wenn möglich|optionnel(?:le)?|souhaitable|deseable|facultati(?:f|ve)|opcional)\)/iu

/** In languages without EARS only the modal verb changes, to capitals. */
const emphasise = (sentence: string, modal: Modal): Statement => ({
  ...free(sentence, modal.level),
  statement: `${sentence.slice(0, modal.start)}${modal.word.toUpperCase()}${sentence.slice(modal.end)}`
})

/** "Le rapport sera envoyé" has no modal verb to stress, and "…, damit man suchen kann" only one of its reason. */
const isMood = (sentence: string, { weak, level, start }: Modal): boolean =>
  weak && (level === 'MUST' || sentence.slice(0, start).includes(','))

/** "Show the total of each column" → "THE SYSTEM SHALL show the total of each column." */
const commanded = (sentence: string): Statement => {
  const bare = sentence.replace(/^please /i, '').replace(/(?<![.!;,])[.!;,]+$/, '')
  const negation = /^(?:do not|don['’]t|never) /i.exec(bare)
  const response = bare.slice(negation?.[0].length ?? 0)
  const action = response.charAt(0).toLowerCase() + response.slice(1)
  return {
    statement: `THE SYSTEM SHALL ${negation ? 'NOT ' : ''}${action}.`,
    pattern: 'ubiquitous',
    level: 'MUST',
    subject: 'THE SYSTEM',
    condition: null,
    response: action
  }
}

/**
 * Rewrites a sentence only where the mapping is mechanical: "When X, Y must Z" → "WHEN X, Y SHALL Z". Otherwise the
 * sentence stays word for word, with the pattern `free`.
 */
export const rewrite = (sentence: string, { locale }: Pick<SpecSettings, 'locale'>): Statement => {
  const all = modalsOf(sentence, locale, true)
  const modals = all.length > 1 && isCondition(sentence, languageOf(locale)) ? all.slice(1) : all
  const first = modals.find(({ weak }) => !weak) ?? modals[0]
  const [keyword] = keywordsOf(sentence, locale)
  const isOptional = optional.test(sentence)
  if (!first && languageOf(locale) === 'en' && !isOptional && commandsSystem(sentence)) return commanded(sentence)
  if (!first) return free(sentence, keyword === undefined ? isOptional ? 'MAY' : 'MUST' : levelOfKeyword(keyword))
  const english = languageOf(locale) === 'en'
  if (!english && first.weak && keyword !== undefined) return free(sentence, levelOfKeyword(keyword))
  if (!english) return isMood(sentence, first) ? free(sentence, 'MUST') : emphasise(sentence, first)
  const clauses = clausesOf(capitalise(sentence.replace(lead, '')))
  if (!clauses) return free(sentence, first.level)
  const main = modalsOf(clauses.rest, locale, true)
  const [only] = main
  // A person must resolve a sentence with two modal verbs, or with one inside its condition.
  const isPlain = main.length === 1 && modalsOf(clauses.condition, locale, false).length === 0
  if (!only || !isPlain) return free(sentence, first.level)
  const modal: Modal = only.weak && isOptional ? { ...only, level: 'MAY' } : only
  return compose(clauses, modal) ?? free(sentence, modal.level)
}
