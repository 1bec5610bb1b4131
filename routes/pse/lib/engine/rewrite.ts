import type { Level, Requirement, SpecSettings } from '../../../../schemas/pse/document.js'
import { isCondition, keywordsOf, languageOf, levelOfKeyword, modalsOf, type Modal } from '../classify/normative.js'
import { weakEnds } from './weak-ends.js'
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

const pronoun = /^(?:(?:and )?(?:it|this|that|these|those|they|there|he|she|which|such|some|all of (?:this|these)))$/i
/** A subject with a verb of its own, or that goes on: the sentence is not plain. */
const verbal = /\b(?:is|are|was|were|means?|has|have|does|do|indicates?|ensures?|would|could|might|requires?|represents?)\b|\b(?:and|or|but|then|you|we|never|not|also|still|likely|n['’]t)$/i
const lead = /^(?:(?:please )?note that|however,|additionally,|also,|finally,|furthermore,|moreover,|in addition,|thus,|therefore,|hence,|as such,) /i

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

const loose = /^(?:apart|besides|beside|instead|rather|with|without|for|in|from|as|by|to|so|other)\b/i
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
  const all = modalsOf(sentence, locale, true)
  const modals = all.length > 1 && isCondition(sentence, languageOf(locale)) ? all.slice(1) : all
  const first = modals.find(({ weak }) => !weak) ?? modals[0]
  const [keyword] = keywordsOf(sentence, locale)
  if (!first) return free(sentence, keyword === undefined ? 'MUST' : levelOfKeyword(keyword))
  if (languageOf(locale) !== 'en') return emphasise(sentence, first)
  const clauses = clausesOf(capitalise(sentence.replace(lead, '')))
  if (!clauses) return free(sentence, first.level)
  const main = modalsOf(clauses.rest, locale, true)
  const [only] = main
  // A person must resolve a sentence with two modal verbs, or with one inside its condition.
  const isPlain = main.length === 1 && modalsOf(clauses.condition, locale, false).length === 0
  if (!only || !isPlain) return free(sentence, first.level)
  return compose(clauses, only) ?? free(sentence, only.level)
}
const clause = /^(?:when|if|unless|until|while|that|which|who|so|because|where|whose|but)$/i
const maxWords = 9

const isWeakEnd = (word: string): boolean => weakEnds.has(word.toLowerCase()) || /^\d/.test(word)

const introduces = /^(?:that way|this way|similarly|likewise|instead|stattdessen|dabei|daher|zudem|as an? |als |como |en |by |in |on |for |to |with |otherwise|therefore|thus|hence|so|however|finally|then)\b/i

/** "The graph shows that the door opens": the title is what it shows. */
const says = /^(?:verify|(?:\p{L}[^\s,;]{0,40} ){1,6}(?:shows?|means|ensures?|says|states|implies|indicates?|requires|guarantees|suggests|in this is)) that,? (?=\S)/iu
const leads = /^(?:therefore|thus|hence|however|moreover|furthermore|additionally),? /i
/** What stands before the main clause, when it ends at the only comma, or before an article. */
const condition = /^(?:as|in|by|to|for|note that|based on|when|whenever|if|even if|since|although|after|before|once|(?:auch )?wenn|falls|sofern|damit|beim?|um|nur wenn|si|lorsque|quand|pour|cuando|para) /i

const withoutLead = (text: string): string => text.replace(leads, '').replace(says, '')

/** @returns the index of the comma after what introduces the sentence, or -1 */
const introductionEnd = (text: string, words: readonly string[]): number => {
  const comma = words.findIndex((word) => word.endsWith(','))
  if (comma < 0 || words.length - comma <= 3) return -1
  if (comma <= 2 && introduces.test(text)) return comma
  const isOnly = words.findLastIndex((word) => word.endsWith(',')) === comma
  const next = words[comma + 1] ?? ''
  const isMain = /^(?:the|an?|all|each|every|no)$/i.test(next) || (isOnly && !/^(?:and|or|but|it|this|that)$/i.test(next))
  return condition.test(text) && isMain ? comma : -1
}

/** @returns the first words of a text up to the end of a phrase */
const phraseOf = (whole: string): string => {
  const rest = withoutLead(whole)
  const text = rest === whole ? whole : capitalise(rest)
  const words = text.replace(/[.;:!]\s*$/, '').split(/\s+/)
  // "As a result, the config becomes active": what introduces a sentence is no title.
  const comma = introductionEnd(text, words)
  if (comma >= 0) return phraseOf(capitalise(words.slice(comma + 1).join(' ')))
  const stop = words.findIndex((word, at) => at > 0 && (
    (at > 3 && clause.test(word)) || (at > 2 && /^[([“"]/.test(word)) || (at > 1 && /[,;:]$/.test(words[at - 1] ?? ''))))
  const kept = words.slice(0, Math.min(stop === -1 ? words.length : stop, maxWords))
  while (kept.length > 2 && kept.length < words.length && isWeakEnd(kept.at(-1) ?? '')) kept.pop()
  return kept.join(' ').replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/u, '')
}

/** Subject and response of a sentence that was not rewritten, as far as a title needs them. */
const roughParts = (statement: string): { actor: string, action: string } => {
  const modal = modalsOf(statement, 'en', false)[0]
  if (!modal) return { actor: '', action: statement }
  const before = statement.slice(0, modal.start).replace(/\([^()]{0,200}\)/g, ' ').replace(/ {2,}/g, ' ').trim()
  // "All nodes, including those of the control plane, must": the actor is what stands before.
  const plain = before.replace(/(?<=^[^,]{1,80}), including [^,]{1,80},$/i, '')
  const last = plain.slice(plain.lastIndexOf(',') + 1).trim().replace(/^(?:and|but|then|also)(?: |$)/i, '')
  const actor = withoutLead(last).replace(/ (?:will|would|may|might)$/i, '')
  const action = statement.slice(modal.end).trim()
  if (/^\W*$/.test(action)) return { actor: '', action: statement }
  return { actor, action: modal.negative ? `not ${action}` : action }
}

/** A title keeps the negation of its requirement: "Wallets: not store credentials". */
const actionOf = (statement: string, response: string): string =>
  statement.includes(` NOT ${response}`) ? `not ${response}` : response

/** @returns a title made of the requirement's subject and the first phrase of its response */
export const titleOf = ({ response, subject, statement }: Omit<Statement, 'pattern' | 'level' | 'condition'>) => {
  const parts = response === null
    ? roughParts(statement)
    : { actor: subject ?? '', action: actionOf(statement, response) }
  const named = withoutLead(parts.actor).replace(/^(?:the|a|an) /i, '').split(/ (?:that|which|who|whose) /)[0] ?? ''
  const isShown = named !== '' && !/^we$/i.test(named) && parts.actor !== 'THE SYSTEM' && named.split(' ').length <= 6 && !pronoun.test(named)
  const action = phraseOf(parts.action)
  if (isShown) return shorten(capitalise(`${named}: ${action.replace(/^(not )?be (?=\w+(?:ed|en|t)\b)/i, '$1')}`), 120)
  // "Be removed" says nothing without what is removed.
  const isBare = response === null && /^(?:not |only |also )?be\b/i.test(action)
  return shorten(capitalise(isBare ? titleWithActor(parts.actor, action, statement) : action), 120)
}

const titleWithActor = (actor: string, action: string, statement: string): string =>
  actor === '' || pronoun.test(actor) ? phraseOf(statement) : `${phraseOf(actor)}: ${action}`
