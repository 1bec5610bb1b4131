import model from 'wink-eng-lite-web-model'
import winkNLP from 'wink-nlp'
import { irregularParticiples } from './irregular-forms.js'

export interface Token { text: string, lower: string, tag: string, start: number, end: number }

const nlp = winkNLP(model, ['sbd', 'pos'])

/** What has no blank for so long is no English; the tagger looks for an address from each of its characters on. */
const endless = /\S{101,}/g

/** @returns the words and marks of English prose with their parts of speech, in milliseconds per 10,000 words */
export const tagWords = (text: string): Token[] => {
  const tokens = nlp.readDoc(text.replace(endless, (run) => ' '.repeat(run.length))).tokens()
  const values = tokens.out(nlp.its.value)
  const blanks = tokens.out(nlp.its.precedingSpaces)
  const tags = tokens.out(nlp.its.pos)
  let at = 0
  return values.map((value, index) => {
    const start = at + (blanks[index]?.length ?? 0)
    at = start + value.length
    return { text: value, lower: value.toLowerCase(), tag: tags[index] ?? 'X', start, end: at }
  }).filter(({ text: value }) => value.trim() !== '')
}

/** Participles that say how something is, though a tagger may take them for verbs. */
const states = new Set((
  'located based used supposed born interested involved concerned limited related experienced tired ' +
  'married pleased done gone allowed finished sold broken lost closed').split(' '))

const isParticiple = ({ lower, tag }: Token): boolean => {
  if (irregularParticiples.has(lower)) return tag === 'VERB' || tag === 'ADJ' || tag === 'NOUN'
  return /[^e]ed$/.test(lower) && lower.length > 3 && (tag === 'VERB' || tag === 'AUX')
}

const be = new Set('am is are was were be been being \'s \'re'.split(' '))
const get = new Set(['get', 'gets', 'got', 'gotten', 'getting'])

const isBetween = ({ tag, lower }: Token): boolean => tag === 'ADV' || lower === 'not' || lower === 'n\'t' || /ly$/.test(lower)

const maxBetween = 3

/** @returns the end of the adverbs after a form of "to be" */
const behindAdverbs = (tokens: readonly Token[], from: number): number => {
  let at = from
  const one = (index: number) => tokens[index]
  for (let next = one(at); next && at - from < maxBetween && isBetween(next); next = one(at)) at++
  return at
}

/** Behind it stands who does it, or it is no state: "is interested in" is one, "is used by" is none. */
const isBy = (tokens: readonly Token[], at: number): boolean =>
  tokens.slice(at + 1, at + 3).some(({ lower }) => lower === 'by')

const isPassive = (tokens: readonly Token[], at: number, auxiliary: Token): boolean => {
  const token = tokens[at]
  if (!token || !isParticiple(token)) return false
  if (states.has(token.lower) && !isBy(tokens, at)) return false
  // "They got broken" is one; "they have got used cars" and "get started" are none.
  return !get.has(auxiliary.lower) || (token.tag === 'VERB' && token.lower !== 'started')
}

export interface Passive { start: number, end: number, participle: number }

/** @returns passives: a form of "to be" or "to get", adverbs, and a participle that is no state */
export const passivesIn = (tokens: readonly Token[]): Passive[] => tokens.flatMap((token, index): Passive[] => {
  if (!be.has(token.lower) && !get.has(token.lower)) return []
  const at = behindAdverbs(tokens, index + 1)
  const participle = tokens[at]
  return participle && isPassive(tokens, at, token)
    ? [{ start: token.start, end: participle.end, participle: at }]
    : []
})

/** Nouns with the ending of an action that name a thing. */
const things = new Set((
  'station section version position question portion fraction information relation nation option ' +
  'edition condition function location direction region session mission vision version tension pension ' +
  'million billion department government document instrument element segment statement moment ' +
  'environment equipment apartment agreement instalment installment comment argument experience ' +
  'audience evidence science sequence difference absence presence importance balance instance chance ' +
  'entrance insurance distance substance sentence reference conference residence licence attention ' +
  'application exception connection transaction collection allowance appearance performance attachment ' +
  'deployment organization organisation description permission duration population tradition motion ' +
  'emotion notion caption ration solution institution association generation education medication ' +
  'publication operation convention invention tribunal total detail email goal hospital terminal ' +
  'capital signal journal manual medal meal deal real local mortgage preference competence intelligence ' +
  'confidence violence silence influence consequence conscience configuration action assumption').split(' '))

const action = /(?:ation|ition|ution|sion|ction|ption|ment|ance|ence|isation|ization|ysis|encement)s?$/

export const isActionNoun = ({ tag, lower }: Token): boolean =>
  (tag === 'NOUN' || tag === 'PROPN') && lower.length > 6 && action.test(lower) && !things.has(lower.replace(/s$/, ''))

/** Verbs that leave the action to a noun. */
const empty = new Set((
  'perform performed performs performing conduct conducted conducts conducting undertake undertaken ' +
  'undertakes undertook effect effected effects carry carried carries carrying make made makes making ' +
  'give given gives provide provided provides constitute constitutes constituted achieve achieved').split(' '))
/** These alone say nothing: of the others only a passive does. */
const alwaysEmpty = new Set((
  'perform performed performs conduct conducted conducts undertake undertaken undertakes effect ' +
  'effected effects carried constitute constitutes').split(' '))

export interface Nominal { start: number, end: number, isHeavy: boolean }

const reach = 12

/** Whether the sentence moves the action into a verb that says nothing, before or behind the noun. */
const hasEmptyVerb = (tokens: readonly Token[], at: number): boolean => {
  const behind = tokens.slice(at + 1, at + reach)
  const end = behind.findIndex(({ text }) => /^[.!?;]$/.test(text))
  const near = end < 0 ? behind : behind.slice(0, end)
  return near.some(({ lower }) => alwaysEmpty.has(lower)) ||
    tokens.slice(Math.max(0, at - 3), at).some(({ lower }) => empty.has(lower))
}

/** @returns actions that stand as nouns: "the activation of the reader"; heavy where an empty verb carries them */
export const nominalsIn = (tokens: readonly Token[]): Nominal[] => tokens.flatMap((token, index): Nominal[] => {
  if (!isActionNoun(token)) return []
  const of = tokens[index + 1]?.lower === 'of'
  const before = tokens.slice(Math.max(0, index - 2), index)
  const article = before.findLast(({ lower }) => lower === 'the' || lower === 'a' || lower === 'an')
  const isHeavy = hasEmptyVerb(tokens, index)
  if (!isHeavy && !(of && article)) return []
  return [{ start: article?.start ?? token.start, end: of ? tokens[index + 1]?.end ?? token.end : token.end, isHeavy }]
})
