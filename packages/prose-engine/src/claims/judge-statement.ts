import { keyOf } from '../text/word-key.js'
import { datesIn, isDateOf, type NamedDate } from './dates.js'
import { quantitiesIn, type Quantity } from './quantities.js'
import { contentOf, sharedBy, stemOf } from './words.js'

export type FaultKind = 'NUMBER' | 'DATE' | 'NAME' | 'QUOTE' | 'NEGATED' | 'OVERCLAIM'

/** What of a statement the facts that it cites do not say. */
export interface Fault { kind: FaultKind, start: number, end: number, message: string }

interface Value { start: number, end: number }
interface Clause { text: string, start: number, end: number, words: Set<string> }

const split = (text: string, mark: RegExp, locale: string): Clause[] => {
  const clauses: Clause[] = []
  let start = 0
  const put = (end: number) => {
    const part = text.slice(start, end)
    if (part.trim() !== '') clauses.push({ text: part, start, end, words: contentOf(part, locale) })
  }
  for (const { 0: found, index } of text.matchAll(mark)) {
    put(index)
    start = index + found.length
  }
  put(text.length)
  return clauses
}

const boundary = /[.!?;:](?=\s|$)|,(?=\s)|\s(?:and|but|while|whereas|und|aber|während|et|mais|y|pero)(?=\s)/g
const verbFirst = /^\s*(?:is|are|was|were|has|have|had|will|can|may|does|did|ist|sind|war|hat|wird|kann|est|sont|peut|es|son)\b/i

/** A clause that begins with its verb has the subject of the one before. */
const clausesOf = (text: string, locale: string): Clause[] => {
  const clauses = split(text, boundary, locale)
  for (const [index, clause] of clauses.entries()) {
    const before = clauses[index - 1]
    if (before && verbFirst.test(clause.text)) clause.words = new Set([...before.words, ...clause.words])
  }
  return clauses
}
const sentencesOf = (text: string, locale: string): Clause[] => split(text, /[.!?](?=\s|$)|\n/g, locale)

const wordsAround = (clauses: readonly Clause[], { start }: Value): Set<string> =>
  clauses.find((clause) => clause.start <= start && start < clause.end)?.words ?? new Set()

const without = (words: ReadonlySet<string>, text: string, locale: string): Set<string> => {
  const own = contentOf(text, locale)
  return new Set([...words].filter((word) => !own.has(word)))
}

interface Known<T> { value: T, words: Set<string> }

/**
 * A value that the facts have, but beside the words of another one, is swapped: "12 fixes" where they say "4 fixes and
 * 12 features".
 */
const isSwapped = <T>(words: ReadonlySet<string>, equal: readonly Known<T>[], others: readonly Known<T>[]): boolean => {
  const best = (all: readonly Known<T>[]) => Math.max(0, ...all.map((one) => sharedBy(words, one.words)))
  const [own, foreign] = [best(equal), best(others)]
  return foreign > 0 && (own === 0 || foreign >= own + 2)
}

const masked = (text: string, spans: readonly Value[]): string =>
  spans.reduce((left, { start, end }) => left.slice(0, start) + ' '.repeat(end - start) + left.slice(end), text)

const names = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]*(?:[.&’'-]\p{L}[\p{L}\p{N}]*)*/gu
const calendar = new Set(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday', 'i'])

interface Name extends Value { text: string }

/** A name is at most so far from the word before it: quotes, brackets and blanks are between. */
const nearby = 40

/** @returns whether the text before a name ends within a sentence: with a word, a comma or a bracket, then a blank */
const endsWithin = (before: string): boolean => {
  const signs = [...before.slice(-nearby)]
  const drop = (kind: RegExp): string[] => {
    const at = signs.findLastIndex((sign) => !kind.test(sign))
    return signs.splice(at + 1)
  }
  drop(/["“„«(]/)
  if (drop(/\s/).length === 0) return false
  return drop(/["”’»)]/).includes(')') || /[\p{L}\p{N},]/u.test(signs.at(-1) ?? '')
}

/** @returns the words that are written as names where a word begins no sentence; in German all nouns are */
const namesIn = (text: string, locale: string, known: ReadonlySet<string> = new Set()): Name[] => [...text.matchAll(names)]
  .map(({ 0: name, index }) => ({ text: name.replace(/['’]s$/, ''), start: index, end: index + name.length }))
  .filter(({ text: name, start, end }) => {
    if (calendar.has(name.toLowerCase())) return false
    const isMarked = /\p{Lu}.*\p{Lu}|\p{Ll}\p{Lu}/u.test(name)
    if (isMarked || known.has(name.toLowerCase())) return true
    if (locale.startsWith('de')) return false
    return endsWithin(text.slice(0, start)) || /^\s\p{Lu}\p{Ll}/u.test(text.slice(end))
  })

const quoted = /[“”"„«»]([^“”"„«»\n]+)[“”"«»]|(?<![\p{L}\p{N}])[‘‚‹']([^‘’‚‹›'\n]+(?:['’]\p{L}[^‘’‚‹›'\n]*)*)[’‘›'](?![\p{L}\p{N}])/gu
const speech = /\b(?:says?|said|told|tells|calls?|called|writes?|wrote|according|quote[ds]?|asked|added|put it|sagte?|nennt|laut|schreibt|dit|selon|dijo|según)\b/i

const negators = /\b(?:no|not|never|none|nobody|nothing|without|neither|nor|cannot|nicht|kein\w*|nie|niemals|ohne|weder|pas|jamais|aucune?|sans|nunca|sin|ning[uú]n\w*)\b|n['’]t\b/gi
const opposites: [RegExp, RegExp][] = ([
  ['rose|risen|rises?|grew|grows?|increase\\w*|gain\\w*|went up|climb\\w*',
    'fell|fallen|falls?|shr[aiu]nk\\w*|decreas\\w*|declin\\w*|lost|loses?|went down|dropp?\\w*'],
  ['more|higher|above|over', 'less|fewer|lower|below|under'], ['faster|quicker|sooner', 'slower|later'],
  ['before|until', 'after|since'], ['opens?|opened', 'closes?|closed'], ['add(?:s|ed)?', 'remov\\w*|delet\\w*'],
  ['enabled?|on', 'disabled?|off'], ['starts?|started|begins?|began', 'ends?|ended|stops?|stopped'],
  ['allow\\w*|permit\\w*', 'forbid\\w*|forbade|prohibit\\w*|prevent\\w*'], ['cheaper', 'dearer|costlier'],
  ['optional', 'required|mandatory'], ['free', 'paid'], ['public', 'private'], ['inside', 'outside'],
  ['accept\\w*|approv\\w*', 'reject\\w*|refus\\w*|declin\\w*']
] as const).map(([one, other]) => [new RegExp(`\\b(?:${one})\\b`, 'i'), new RegExp(`\\b(?:${other})\\b`, 'i')])

const strong = /\b(?:all|every\w*|always|entire\w*|fully|complete(?:ly)?|guarantee\w*|unlimited|best|first|fastest|largest|leading|only one|world['’]s|alle|jede[rsnm]?|immer|vollständig|garantiert\w*|beste[rsn]?|tous|toutes|toujours|todos|todas|siempre|endorse\w*|recommend\w*|certif\w*|award\w*|trusted|praise\w*|proven|proves?|loved?)\b/gi
const weak = [
  /\b(?:may|might|could|possibly|perhaps|expect\w*|plann?\w*|aims?|intend\w*|hope\w*|consider\w*)\b/i,
  /\b(?:up to|at most|as (?:many|much|little) as|no more than|maximum|at least|no (?:fewer|less) than|minimum)\b/i,
  /\b(?:some|most|many|several|majority|parts? of|a few|half)\b/i,
  /\b(?:usually|often|sometimes|mostly|typically|generally|in general|as a rule)\b/i,
  /\b(?:beta|preview|experimental|trial|pilot)\b/i
]

/** From so large a share of common words on, a sentence and a statement say the same of the same. */
const sameFrom = 0.5

/** The facts that statements are judged against, read once for all of them. */
export class Grounds {
  readonly #text: string
  readonly #sentences: Clause[]
  readonly #quantities: Known<Quantity>[]
  readonly #dates: Known<NamedDate>[]
  readonly #names: Known<string>[]
  readonly #key: string
  /** Of the words that claim much, whether one in the facts begins the same. */
  readonly #stems = new Map<string, boolean>()

  /** @param known all sources: a name may be of any */
  constructor (facts: readonly string[], readonly known: string, readonly locale: string) {
    this.#text = facts.join('\n')
    this.#key = ` ${keyOf(this.#text)} `
    const clauses = facts.flatMap((fact) => clausesOf(fact, locale))
    const stem = stemOf(locale)
    this.#sentences = facts.flatMap((fact) => sentencesOf(fact, locale))
    const per = <T extends Value>(read: (text: string) => T[]): Known<T>[] => clauses.flatMap(({ text, words }) =>
      read(text).map((value) => ({ value, words: without(words, text.slice(value.start, value.end), locale) })))
    this.#dates = per(datesIn)
    this.#quantities = per((text) => quantitiesIn(masked(text, datesIn(text)), locale, stem))
    const named = facts.flatMap((fact) => namesIn(fact, locale).map(({ text }) => text)).join(' ')
    this.#names = per((text) => namesIn(text, locale, new Set(named.toLowerCase().split(' '))))
      .map(({ value, words }) => ({ value: value.text.toLowerCase(), words: without(words, named, locale) }))
  }

  /** @returns what the facts do not say: numbers, dates, names, quotations, denials and superlatives */
  judge (statement: string): Fault[] {
    const clauses = clausesOf(statement, this.locale)
    const fault = (kind: FaultKind, { start, end }: Value, message: string): Fault => ({ kind, start, end, message })
    const around = (value: Value) =>
      without(wordsAround(clauses, value), statement.slice(value.start, value.end), this.locale)
    const dates = datesIn(statement)
    const stem = stemOf(this.locale)
    const faults = dates.flatMap((date) => {
      const equal = this.#dates.filter(({ value }) => isDateOf(date, value))
      if (equal.length === 0) return [fault('DATE', date, 'No cited fact has this date')]
      const others = this.#dates.filter(({ value }) => !isDateOf(date, value))
      return isSwapped(around(date), equal, others) ? [fault('DATE', date, 'The cited fact has another date for this')] : []
    })
    for (const one of quantitiesIn(masked(statement, dates), this.locale, stem)) {
      // "one" and "a second" alone are words of their own.
      if (one.isSpelled && one.value === '1' && one.unit === '') continue
      const isSame = ({ value: known }: Known<Quantity>) => known.value === one.value &&
        (one.unit === '' || known.unit === ''
          ? one.unit === known.unit || known.nouns.length > 0 || one.unit === ''
          : known.unit === one.unit)
      const equal = this.#quantities.filter(isSame)
      if (equal.length === 0) {
        faults.push(fault('NUMBER', one, 'No cited fact has this number'))
        continue
      }
      const others = this.#quantities.filter((known) => !isSame(known) && known.value.unit === one.unit)
      const isOfNoun = (known: Known<Quantity>) => known.value.nouns.some((noun) => one.nouns.includes(noun))
      const isOther = one.nouns.length > 0 && others.some(isOfNoun) && !equal.some(isOfNoun)
      if (isOther || isSwapped(around(one), equal, others)) {
        faults.push(fault('NUMBER', one, 'The cited fact has another number for this'))
      }
    }
    const names = namesIn(masked(statement, dates), this.locale, new Set(this.#names.map(({ value }) => value)))
    const named = names.map(({ text }) => text).join(' ')
    for (const one of names) {
      const name = one.text.toLowerCase()
      const equal = this.#names.filter(({ value }) => value === name)
      if (equal.length > 0) {
        const others = this.#names.filter(({ value }) => value !== name && !keyOf(statement).includes(value))
        if (others.length > 0 && isSwapped(without(around(one), named, this.locale), equal, others)) {
          faults.push(fault('NAME', one, 'The cited fact says this of another'))
        }
      } else if (!this.known.includes(` ${keyOf(name)} `) && !this.#key.includes(` ${keyOf(name)} `)) {
        faults.push(fault('NAME', one, 'No source has this name'))
      }
    }
    for (const { 0: all, 1: double, 2: single, index } of statement.matchAll(quoted)) {
      const key = keyOf(double ?? single ?? '')
      const isSpoken = key.split(' ').length >= 4 || speech.test(statement)
      if (isSpoken && !this.#key.includes(` ${key} `)) {
        faults.push(fault('QUOTE', { start: index, end: index + all.length }, 'No cited fact has this quotation'))
      }
    }
    return [...faults, ...this.#compare(statement)]
  }

  /** @returns whether a word of the facts begins so; each beginning is sought once, however often a draft repeats it */
  #begins (stem: string): boolean {
    const known = this.#stems.get(stem)
    if (known !== undefined) return known
    const found = new RegExp(`(?<!\\p{L})${stem}`, 'iu').test(this.#text)
    this.#stems.set(stem, found)
    return found
  }

  /** Compares with the sentence of the facts that says most of the same. */
  #compare (statement: string): Fault[] {
    const words = contentOf(statement, this.locale)
    const whole = { start: 0, end: statement.length }
    const nearest = this.#sentences.map((sentence) => ({ sentence, shared: sharedBy(words, sentence.words) }))
      .sort((one, other) => other.shared - one.shared)[0]
    const share = nearest ? nearest.shared / Math.max(1, Math.min(words.size, nearest.sentence.words.size)) : 0
    const faults: Fault[] = []
    for (const { 0: word, index } of statement.matchAll(strong)) {
      if (!this.#begins(word.slice(0, 5).toLowerCase())) {
        faults.push({ kind: 'OVERCLAIM', start: index, end: index + word.length, message: 'The cited facts do not go so far' })
      }
    }
    if (!nearest || share < sameFrom) return faults
    const { text } = nearest.sentence
    const denies = (one: string) => (one.match(negators) ?? []).length % 2 === 1
    const clauses = clausesOf(text, this.locale).map((clause) => ({ ...clause, shared: sharedBy(words, clause.words) }))
    const most = Math.max(...clauses.map(({ shared }) => shared))
    const isDenied = clauses.filter(({ shared }) => shared === most).every((clause) => denies(clause.text) !== denies(statement))
    const turned = opposites.some(([one, other]) =>
      (one.test(statement) && !other.test(statement) && other.test(text) && !one.test(text)) ||
      (other.test(statement) && !one.test(statement) && one.test(text) && !other.test(text)))
    if (isDenied || turned) {
      faults.push({ kind: 'NEGATED', ...whole, message: 'The cited fact says the opposite' })
    }
    if (weak.some((group) => group.test(text)) && !weak.some((group) => group.test(statement))) {
      faults.push({ kind: 'OVERCLAIM', ...whole, message: 'The cited fact is less sure, or says it of fewer' })
    }
    return faults
  }
}
