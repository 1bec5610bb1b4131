import { modalsOf } from '../classify/normative.js'
import type { ReadLanguage } from '../classify/language.js'
import { pronoun, type Statement } from './rewrite.js'
import { weakEnds } from './weak-ends.js'
import { capitalise, shorten } from './words.js'

const maxTitle = 120
const clause = /^(?:when|if|unless|until|while|that|which|who|so|because|where|whose|but)$/i
const maxWords = 9

/** A bare number waits for its unit; "1%" does not. */
const isWeakEnd = (word: string): boolean =>
  weakEnds.has(word.toLowerCase()) || /^\d[\d.,]*$|^(?:max|min|approx|ca|no|nr|mind|bzw)\.$/i.test(word)

/** "After entering" waits for what is entered. */
const hangs = /^(?:after|before|by|without|when|while|for) \p{L}+ing$/iu

const introduces = /^(?:that way|this way|similarly|likewise|instead|stattdessen|dabei|daher|zudem|as an? |als |como |en |by |in |on |for |to |with |otherwise|therefore|thus|hence|so|however|finally|then)\b/i

/** "The graph shows that the door opens": the title is what it shows. */
const says = /^(?:verify|(?:\p{L}[^\s,;]{0,40} ){1,6}(?:shows?|means|ensures?|says|states|implies|indicates?|requires|guarantees|suggests|in this is)) that,? (?=\S)/iu
const leads = /^(?:therefore|thus|hence|however|moreover|furthermore|additionally|similarly|likewise|in other words|i\.e\.),? /i
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
  const isMain = /^(?:the|an?|all|each|every|no)$/i.test(next) || (isOnly && !/^(?:and|or|but|not|nor|it|this|that|which|as|with|for)$/i.test(next))
  return condition.test(text) && isMain ? comma : -1
}

/** "Are signed out when …": the particle belongs to its verb. */
const isParticle = (words: readonly string[], at: number): boolean =>
  /^(?:out|off|up|down|in|on|back|over)$/i.test(words[at] ?? '') && /(?:ed|ing|en|t)$/i.test(words[at - 1] ?? '') &&
  (words[at + 1] === undefined || clause.test(words[at + 1] ?? ''))

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
  const isCut = () => kept.length > 2 && kept.length < words.length && !isParticle(words, kept.length - 1)
  while (isCut() && (isWeakEnd(kept.at(-1) ?? '') || hangs.test(kept.slice(-2).join(' ')))) kept.pop()
  return kept.join(' ').replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/u, '')
}

/** What carries a sentence's verb beside the modal verbs of demands: a title divides it there. */
const auxiliaries: Record<ReadLanguage, RegExp> = {
  en: /(?<!\b(?:that|which|who) )\b(?:will|won['’]t|can|cannot|may|might)(?: not| never)?\b/i,
  de: /(?<!\p{L})(?:wird|werden|kann|können|ist|sind)(?!\p{L})/iu,
  fr: /(?<!\p{L}|\bqui )(?:sera|seront|pourra|pourront|peut|peuvent|permettra de|permettront de|est|sont)(?!\p{L})/iu,
  es: /(?<!\p{L}|\bque )(?:será|serán|podrá|podrán|puede|pueden|permitirá|permitirán|es|son)(?!\p{L})/iu
}
const never = /not|never|n['’]t/i

interface Verb { start: number, end: number, negative: boolean }

/** @returns the verb that divides the main clause into its subject and what is demanded of it */
const verbOf = (statement: string, language: ReadLanguage): Verb | undefined => {
  const comma = statement.indexOf(',')
  // German verbs stand behind "bei Regen", and before the comma.
  const isClause = condition.test(statement) && (language !== 'de' || /^(?:wenn|falls|sofern) /i.test(statement))
  const from = comma > 0 && isClause ? comma : 0
  const found = auxiliaries[language].exec(statement.slice(from))
  const auxiliary = found && language !== 'de' && {
    start: from + found.index, end: from + found.index + found[0].length, negative: never.test(found[0])
  }
  const modals = modalsOf(statement, language, false)
  const modal = modals.find(({ start }) => start > from) ?? (from > 0 ? undefined : modals[0])
  if (!modal || !auxiliary) return modal ?? (auxiliary || undefined)
  // "Will need to be updated" is divided behind "need to".
  const isFirst = auxiliary.start > 0 && auxiliary.start < modal.start && modal.start - auxiliary.end > 1
  return isFirst ? auxiliary : modal
}

const articles = /^(?:the|a|an|der|die|das|ein|eine|le|la|les|l['’]|un|une|des|el|los|las|una) ?(?<=[ '’])/i
const thirdPersons = /^(?:we|you|i|er|sie|es|wir|il|elle|ils|elles|cela|ça|ce|esto|este|ello|sólo|persona que)$/i
/** "Beim Abbruch muss der Server warten": German has the subject behind the verb then. */
const inverted = /^(?:der|die|das|ein|eine|alle|jede[rs]?) (\p{Lu}[\p{L}-]*) (?=\S)/u
const opensGerman = /^(?:bei|beim|im|in|nach|vor|für|mit|zur?|zum|ab|auf|aus|bis|wenn|falls|sobald|während|am|an|über|durch|hier|dabei|dazu|zudem|außerdem) /i

interface Parts { actor: string, action: string }

/** The verb at the end of a German clause: "…, dass die Tür schließen muss". */
const atEnd = (before: string): Parts =>
  ({ actor: '', action: before.slice(before.lastIndexOf(',') + 1).trim().replace(/^(?:dass|damit|wenn|weil) /i, '') })

const germanParts = (before: string, after: string): Parts | undefined => {
  const found = opensGerman.test(before) || before === '' ? inverted.exec(after) : null
  return found ? { actor: found[1] ?? '', action: after.slice(found[0].length) } : undefined
}

/** Subject and response of a sentence that was not rewritten, as far as a title needs them. */
const roughParts = (statement: string, language: ReadLanguage): Parts => {
  const verb = verbOf(statement, language)
  // "A dialog asks for a name (which must be unique)": the brackets add to what is demanded.
  const isAdded = verb && /\([^()]*$/.test(statement.slice(0, verb.start))
  if (!verb || isAdded) return { actor: '', action: statement }
  const before = statement.slice(0, verb.start).replace(/\([^()]{0,200}\)/g, ' ').replace(/ {2,}/g, ' ').trim()
  const after = statement.slice(verb.end).replace(/^\s*:/, '').trim()
  // "Failures are shown and can be replayed": the subject stands before another verb.
  if (/ (?:and|or|und|oder)$/i.test(before)) return { actor: '', action: statement }
  const isOver = language === 'de' && /^\S+$/.test(after) && statement.slice(0, verb.start).includes(',')
  if (isOver || /^\W*$/.test(after)) return language === 'de' ? atEnd(before) : { actor: '', action: statement }
  const action = verb.negative ? `${nots[language]} ${after}` : after
  const turned = language === 'de' ? germanParts(before, action) : undefined
  if (turned) return turned
  // "All nodes, including those of the control plane, must": the actor is what stands before.
  const plain = before.replace(/(?<=^[^,]{1,80}), including [^,]{1,80},$/i, '').replace(/^as (?:a )?part of this \S+,? /i, '')
  const last = plain.split(/,| : /).at(-1)?.trim() ?? ''
  const actor = withoutLead(last.replace(joins, ''))
    .replace(/ (?:will|would|may|might|also|still|then|now|ne|no)$/i, '')
  return { actor, action }
}

const joins = /^(?:and|but|then|also|et|mais|aussi|und|aber|auch|y|e|pero|también)(?: |$)/i

const nots: Record<ReadLanguage, string> = { en: 'not', de: 'nicht', fr: 'ne pas', es: 'no' }

/** A title keeps the negation of its requirement: "Wallets: not store credentials". */
const actionOf = (statement: string, response: string): string =>
  statement.includes(` NOT ${response}`) ? `not ${response}` : response

/** "Doors: be open", "Türen: geöffnet werden": what they are says it. */
const auxiliary = /^((?:not |only |also |nicht |ne pas |no |pas )?)(?:(?:also |still |only |then )?be |être |ser |estar )(?:(?:able|allowed) to )?/i
const withoutAuxiliary = (action: string): string =>
  action.replace(auxiliary, (_all, kept: string) => kept).replace(/(?<=\p{L}t|\p{L}en) (?:werden|sein)$/u, '')

const valued = /^it is (?:\w{2,12} )?(?:desirable|preferred|important|recommended|required) that /i
/** "The PIN is wrong: The ATM shows …" is about what happens then. */
const onCondition = /^\p{Lu}[^:.]{3,100}: (?=(?:The|After|Das|Der|Die|Nach|Le|La|Les|El|Los|Las) )/u
const relative = / (?:that|which|who|whose|indicating|containing|having|welche[rs]?|die|qui|que) /i
const maxActorWords = 6

const nameOf = (actor: string): string =>
  (withoutLead(actor).replace(articles, '').split(relative)[0] ?? '').replace(/[,;]$/, '')

/** @returns a title made of the requirement's subject and the first phrase of its response */
export const titleOf = ({ response, subject, statement }: Omit<Statement, 'pattern' | 'level' | 'condition'>,
  language: ReadLanguage = 'en'): string => {
  const parts = response === null
    ? roughParts(statement.replace(valued, '').replace(onCondition, ''), language)
    : { actor: subject ?? '', action: actionOf(statement, response) }
  const named = parts.actor === 'THE SYSTEM' ? '' : nameOf(parts.actor)
  const isNamed = named !== '' && !thirdPersons.test(named) && !pronoun.test(named)
  const isBare = auxiliary.test(parts.action)
  // "Be removed" says nothing without what is removed.
  const shown = named.split(' ').length <= maxActorWords ? named : isBare ? phraseOf(named) : ''
  // Brackets that the end of the phrase leaves open.
  const action = withoutAuxiliary(phraseOf(parts.action)).replace(/ \([^()]*$/, '')
  if (isNamed && shown !== '') return shorten(capitalise(`${shown}: ${action}`), maxTitle)
  return shorten(capitalise(isBare && isNamed ? phraseOf(statement) : action), maxTitle)
}
