import type { Citation, Question, Requirement, SpecDocument, Story } from '../schemas/document.js'
import { contentWords, keyOf, overlap } from './words.js'

/** Two texts with at least this overlap are the same requirement. */
const alike = 0.6

/** Assigns ids that no version has used. */
export class Ids {
  readonly counters: Record<string, number>

  constructor (base: Pick<SpecDocument, 'counters'> | undefined) {
    this.counters = { ...base?.counters }
  }

  next (prefix: string, digits = 1, separator = '-'): string {
    const number = (this.counters[prefix] ?? 0) + 1
    this.counters[prefix] = number
    return `${prefix}${separator}${String(number).padStart(digits, '0')}`
  }
}

interface Item { citations: Citation[] }
const quoteKey = ({ input_id, quote }: Citation) => `${input_id}/${keyOf(quote)}`

/**
 * Matches each new item with an old one: by a shared citation, then by the most similar words.
 * @returns the old items by the indices of the new ones; each old item matches at most once
 */
export const matchItems = <T extends Item>(before: readonly T[], now: readonly T[], textOf: (item: T) => string,
  fits: (old: T, item: T) => boolean = () => true): Map<number, T> => {
  const found = new Map<number, T>()
  const left = new Set(before)
  const byQuote = new Map<string, Set<T>>()
  for (const old of before) {
    for (const key of old.citations.map(quoteKey)) byQuote.set(key, (byQuote.get(key) ?? new Set()).add(old))
  }
  const cited = (item: T): T | undefined => {
    for (const key of new Set(item.citations.map(quoteKey))) {
      for (const old of byQuote.get(key) ?? []) if (left.has(old) && fits(old, item)) return old
    }
  }
  const take = (at: number, old: T | undefined) => {
    if (!old) return
    found.set(at, old)
    left.delete(old)
  }
  now.forEach((item, at) => take(at, cited(item)))
  if (left.size === 0) return found
  const words = new Map([...left].map((old) => [old, contentWords(textOf(old))] as const))
  now.forEach((item, at) => {
    if (found.has(at)) return
    const own = contentWords(textOf(item))
    const rated = [...left].filter((old) => fits(old, item))
      .map((old) => ({ old, score: overlap(own, words.get(old) ?? new Set()) }))
    const best = rated.reduce<typeof rated[number] | undefined>((top, one) =>
      one.score >= alike && one.score > (top?.score ?? 0) ? one : top, undefined)
    take(at, best?.old)
  })
  return found
}

export const matchRequirements = (before: readonly Requirement[], now: readonly Requirement[]) =>
  matchItems(before, now, ({ statement }) => statement)

export const matchStories = (before: readonly Story[], now: readonly Story[]) =>
  matchItems(before, now, ({ role, want }) => `${role} ${want}`)

/** @returns how a generation asked a question, which a person may have worded otherwise since */
export const askedOf = ({ asked, about, question }: Pick<Question, 'asked' | 'about' | 'question'>) =>
  asked ?? { about, question }

export const questionKey = ({ about, question }: Pick<Question, 'about' | 'question'>): string =>
  // How many sentences it counts may change from version to version.
  about?.startsWith('statements:') ? about : `${about ?? ''}|${keyOf(question)}`

/** @returns the questions by what they say, and by how they were asked before a person worded them otherwise */
export const byWording = (questions: readonly Question[]): Map<string, Question> =>
  new Map(questions.flatMap((one) => [[questionKey(one), one], [questionKey(askedOf(one)), one]]))
