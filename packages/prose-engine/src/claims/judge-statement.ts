import { keyOf } from '../text/word-key.js'
import { datesIn, isDateOf, type NamedDate } from './dates.js'
import { quantitiesIn, type Quantity } from './quantities.js'
import { contentOf, sharedBy, stemOf } from './words.js'

export type FaultKind = 'NUMBER' | 'DATE' | 'NAME' | 'QUOTE' | 'NEGATED'

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
/** Who writes beside the facts has words of their own in quotation marks; from so many on they are somebody else's. */
const minQuotedWords = 4

const negators = /\b(?:no|not|never|none|nobody|nothing|without|neither|nor|cannot|nicht|kein\w*|nie|niemals|ohne|weder|pas|jamais|aucune?|sans|nunca|sin|ning[uú]n\w*)\b|n['’]t\b/gi
/** "4" may be the 4 seconds of a fact; "4 seconds" is no fact's "4 people". */
const isSameAmount = (one: Quantity, known: Quantity): boolean => known.value === one.value &&
  (one.unit === '' || one.unit === known.unit || (known.unit === '' && known.nouns.length > 0))

interface Quotation extends Value { key: string, isSaid: boolean }

/** @returns what stands in quotation marks; after a colon it is said, however short */
const quotationsIn = (text: string): Quotation[] => [...text.matchAll(quoted)]
  .map(({ 0: all, 1: double, 2: single, index }) => ({
    start: index, end: index + all.length, key: keyOf(double ?? single ?? ''), isSaid: text.slice(0, index).trimEnd().endsWith(':')
  }))
  .filter(({ key }) => key !== '')

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

  /** @returns the numbers, dates and quotations of a text that the facts have nowhere */
  missing (text: string, isQuotation = false): Fault[] {
    const dates = datesIn(text)
    return [
      ...dates.filter((date) => !this.#dates.some(({ value }) => isDateOf(date, value)))
        .map(({ start, end }): Fault => ({ kind: 'DATE', start, end, message: 'The date is in no source of the brief' })),
      // "Three reasons" may count what the text itself lists.
      ...quantitiesIn(masked(text, dates), this.locale, stemOf(this.locale))
        .filter((one) => !(one.isSpelled && one.unit === '') && !this.#quantities.some(({ value }) => isSameAmount(one, value)))
        .map(({ start, end }): Fault => ({ kind: 'NUMBER', start, end, message: 'The number is in no source of the brief' })),
      ...(isQuotation ? [{ start: 0, end: text.length, key: keyOf(text), isSaid: true }] : quotationsIn(text))
        .filter(({ key, isSaid }) => (isSaid || key.split(' ').length >= minQuotedWords) && !this.#key.includes(` ${key} `))
        .map(({ start, end }): Fault => ({ kind: 'QUOTE', start, end, message: 'The quotation is in no source of the brief' }))
    ]
  }

  /** @returns what the facts do not say: numbers, dates, names, quotations and denials */
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
      const isSame = ({ value: known }: Known<Quantity>) => isSameAmount(one, known)
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
    for (const { key, ...span } of quotationsIn(statement)) {
      if (!this.#key.includes(` ${key} `)) faults.push(fault('QUOTE', span, 'No cited fact has this quotation'))
    }
    return [...faults, ...this.#compare(statement)]
  }

  /** Compares with the sentence of the facts that says most of the same. */
  #compare (statement: string): Fault[] {
    const words = contentOf(statement, this.locale)
    const whole = { start: 0, end: statement.length }
    const nearest = this.#sentences.map((sentence) => ({ sentence, shared: sharedBy(words, sentence.words) }))
      .sort((one, other) => other.shared - one.shared)[0]
    const share = nearest ? nearest.shared / Math.max(1, Math.min(words.size, nearest.sentence.words.size)) : 0
    if (!nearest || share < sameFrom) return []
    const { text } = nearest.sentence
    const denies = (one: string) => (one.match(negators) ?? []).length % 2 === 1
    const clauses = clausesOf(text, this.locale).map((clause) => ({ ...clause, shared: sharedBy(words, clause.words) }))
    const most = Math.max(...clauses.map(({ shared }) => shared))
    const isDenied = clauses.filter(({ shared }) => shared === most).every((clause) => denies(clause.text) !== denies(statement))
    return isDenied ? [{ kind: 'NEGATED', ...whole, message: 'The cited fact says the opposite' }] : []
  }
}
