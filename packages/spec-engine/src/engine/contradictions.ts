import { modalsOf } from '../classify/normative.js'
import type { ReadLanguage } from '../classify/language.js'
import { meaningOf } from './meanings.js'
import { empty, quantitiesOf, type Quantity } from './quantities.js'
import { wordsOf } from './words.js'

/** What is compared: a sentence in a language. */
export interface Stated { text: string, language: ReadLanguage }
export interface Contradiction<T extends Stated> { one: T, other: T }

const negations = new Set(['not', 'never', 'no', 'nicht', 'niemals', 'nie', 'jamais', 'nunca', 'cannot'])

const isNegation = (word: string): boolean =>
  negations.has(word) || word.startsWith('kein') || word.endsWith("n't")

interface Claim<T> {
  stated: T
  words: ReadonlySet<string>
  isNegative: boolean
  quantities: readonly Quantity[]
  /** The numbers that name things, and the negations beside the modal verb: what differs there is not the same. */
  rest: string
}

const withoutQuantities = (text: string, quantities: readonly Quantity[]): string => {
  let kept = ''
  let from = 0
  for (const { start, end } of quantities) {
    kept += `${text.slice(from, Math.max(from, start))} `
    from = Math.max(from, end)
  }
  return kept + text.slice(from)
}

/** "Guests may not cancel" and "Gäste dürfen Bestellungen nicht stornieren" forbid; "if it is not open" does not. */
const isForbidding = (text: string, language: ReadLanguage): { isNegative: boolean, others: number } => {
  const [modal] = modalsOf(text, language, true)
  const count = wordsOf(text).filter(isNegation).length
  if (!modal || count === 0) return { isNegative: modal?.negative ?? false, others: count }
  const isApart = language === 'de' && !modal.negative && wordsOf(text.slice(modal.end)).some(isNegation)
  const isNegative = modal.negative || isApart
  return { isNegative, others: Math.max(0, count - Number(isNegative)) }
}

const claimOf = <T extends Stated>(stated: T): Claim<T> => {
  const { text, language } = stated
  const { quantities, names } = quantitiesOf(text, language)
  const bare = withoutQuantities(text, quantities).replace(/\btime[sd]? out\b/gi, 'timeout')
  const words = wordsOf(bare).filter((word) => !empty.has(word) && !isNegation(word) && !/^\d/.test(word))
    .map(meaningOf)
  const { isNegative, others } = isForbidding(text, language)
  return { stated, words: new Set(words), isNegative, quantities, rest: `${names.join()} ${others}` }
}

/** Powers of ten and of two are the same size to people. */
const tolerance = 0.05

const isSame = (one: number, other: number, of: string): boolean => of === 'bytes'
  ? Math.abs(one - other) <= tolerance * Math.max(one, other)
  : Math.abs(one - other) <= 1e-9 * Math.max(one, other)

/** "At least 8" and "at most 64" go together; "at least 12" and "at most 8" do not. */
const disagree = (one: Quantity, other: Quantity): boolean => {
  if (isSame(one.value, other.value, one.of)) return false
  if (one.bound === other.bound) return true
  const [low, high] = one.bound === 'least' || other.bound === 'most' ? [one, other] : [other, one]
  return low.value > high.value
}

const single = (quantities: readonly Quantity[], of: string): Quantity | undefined => {
  const found = quantities.filter((one) => one.of === of)
  return found.length === 1 ? found[0] : undefined
}

const differ = <T>(one: Claim<T>, other: Claim<T>): boolean => one.isNegative === other.isNegative &&
  other.quantities.some(({ of }) => {
    const [its, mine] = [single(one.quantities, of), single(other.quantities, of)]
    return its !== undefined && mine !== undefined && disagree(its, mine)
  })

const isAbout = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => {
  let shared = 0
  for (const word of one) if (other.has(word)) shared++
  const [least, most] = [Math.min(one.size, other.size), Math.max(one.size, other.size)]
  // Where each has a word that the other lacks, such as "gold" and "silver", they are of two things.
  return shared >= Math.min(2, least) && (shared === least ? shared / most >= 0.5 : shared / most >= 0.8)
}

/** A word of this many demands does not help to find similar ones. */
const maxHolders = 30
const maxFound = 20

/** Finds for each demand one before it that says otherwise, in linear time. */
class Comparison<T extends Stated> {
  readonly found: Contradiction<T>[] = []
  /** By what is measured and a word. */
  readonly #measured = new Map<string, Claim<T>[]>()
  /** By all words and numbers. */
  readonly #stated = new Map<string, Claim<T>>()

  add (claim: Claim<T>): void {
    const other = this.#otherNumber(claim) ?? this.#opposite(claim)
    if (other && this.found.length < maxFound) this.found.push({ one: other.stated, other: claim.stated })
  }

  #otherNumber (claim: Claim<T>): Claim<T> | undefined {
    if (claim.words.size === 0) return undefined
    const near = new Set<Claim<T>>()
    for (const of of new Set(claim.quantities.map((own) => own.of))) {
      for (const word of claim.words) this.#hold(`${of} ${claim.rest} ${word}`, claim, near)
    }
    near.delete(claim)
    for (const one of near) if (differ(one, claim) && isAbout(one.words, claim.words)) return one
    return undefined
  }

  /** Adds to `near` who else has the key. */
  #hold (key: string, claim: Claim<T>, near: Set<Claim<T>>): void {
    const held = this.#measured.get(key)
    if (held === undefined) {
      this.#measured.set(key, [claim])
      return
    }
    for (const one of held) near.add(one)
    if (held.length < maxHolders) held.push(claim)
  }

  #opposite (claim: Claim<T>): Claim<T> | undefined {
    if (claim.words.size < 2) return undefined
    const numbers = claim.quantities.map(({ of, value }) => `${of} ${value}`).sort().join()
    const key = `${[...claim.words].sort().join(' ')} ${numbers} ${claim.rest}`
    const other = this.#stated.get(key)
    if (!other) this.#stated.set(key, claim)
    return other && other.isNegative !== claim.isNegative ? other : undefined
  }
}

/** @returns pairs of sentences that cannot both be met: other numbers for one thing, or must against must not */
export const contradictionsOf = <T extends Stated>(items: readonly T[]): Contradiction<T>[] => {
  const comparison = new Comparison<T>()
  for (const item of items) comparison.add(claimOf(item))
  return comparison.found
}
