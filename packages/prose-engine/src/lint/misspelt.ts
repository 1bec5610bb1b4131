import { dictionaryFor, type Speller } from './dictionaries.js'
import { isCorrect as isEnglishWord } from './english-dictionary.js'
import { isGermanMade } from './german-words.js'
import { isForeign, ownWords } from './known-words.js'
import { found, isEnglish, type Draft, type Rule } from './rule.js'
import { maxLetters } from './spelling.js'
import { isTradeWord } from './trade-words.js'

/**
 * Words without digits, of ordinary case, and no part of an address, a path, a word with hyphens, or a form for all
 * genders ("Leser:innen").
 */
const word = /(?<![\p{L}\p{N}_@#./\\&:*'’-])\p{L}\p{Ll}*(?:['’]\p{L}?\p{Ll}+)?(?![\p{L}\p{N}_@/\\*-]|[.:'’]\p{L})/gu
const minLetters = 4
/** Suggestions take a twelfth of a second for a word. */
const maxLooked = 12
const maxSuggested = 5
/** A word that stands so often is one of the writer, no slip. */
const ownFrom = 3

interface Spelled { written: string, plain: string, start: number }

/** German alone writes nouns with a capital; elsewhere such a word is a name, or begins a sentence and may be one. */
const isChecked = (written: string, locale: string): boolean =>
  written.length >= minLetters && (/^de\b/.test(locale) || written === written.toLowerCase())

/** @returns whether a word is one with its full stop: "engl." */
const isShortened = (text: string, end: number, written: string, speller: Speller): boolean =>
  text[end] === '.' && speller.isCorrect(`${written}.`)

const unknownWords = (draft: Draft, speller: Speller): Spelled[] => {
  const own = ownWords(draft)
  return [...draft.prose.text.matchAll(word)]
    .filter(({ 0: written }) => written.length <= maxLetters)
    .map(({ 0: written, index }) => ({ written, plain: written.toLowerCase(), start: index }))
    .filter(({ written, plain }) => isChecked(written, draft.locale) && !own.has(plain) && !speller.isCorrect(written))
    .filter(({ written, start }) => !isShortened(draft.prose.text, start + written.length, written, speller))
}

/** Texts of the trade have English words in every language. */
const isEnglishHere = ({ plain }: Spelled): boolean =>
  isTradeWord(plain) || isEnglishWord(plain, 'en-US') || isEnglishWord(plain, 'en-GB')

const once = (words: readonly Spelled[]): Spelled[] => {
  const counts = new Map<string, number>()
  for (const { plain } of words) counts.set(plain, (counts.get(plain) ?? 0) + 1)
  const seen = new Set<string>()
  return words.filter(({ plain }) => {
    const isFirst = !seen.has(plain)
    seen.add(plain)
    return isFirst && (counts.get(plain) ?? 0) < ownFrom
  })
}

/** ss and ß are one slip. */
const folded = (text: string): string => text.toLowerCase().replaceAll('ß', 'ss').replaceAll('’', '\'')

/** @returns whether two words differ by at most one letter, or by two that are exchanged */
const isNear = (one: string, other: string): boolean => {
  const [a, b] = [folded(one), folded(other)]
  if (Math.abs(a.length - b.length) > 1) return false
  let [start, end] = [0, 0]
  while (start < a.length && a[start] === b[start]) start++
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  return Math.max(left.length, right.length) <= 1 || (left.length === 2 && left === [...right].reverse().join(''))
}

/** Hunspell does not suggest a word that differs by ß and by its capital: "strasse" for "Straße". */
const withSharpS = (written: string, speller: Speller): string[] => {
  const sharp = written.replace('ss', 'ß')
  return sharp === written
    ? []
    : [sharp, sharp.charAt(0).toUpperCase() + sharp.slice(1)].filter((one) => speller.isCorrect(one))
}

const nearTo = (written: string, speller: Speller): string[] => {
  const all = [...withSharpS(written, speller), ...speller.suggest(written)]
  return [...new Set(all)].filter((one) => !/[\s-]/.test(one) && isNear(written, one)).slice(0, maxSuggested)
}

/** Finds misspelt words of the languages that have a dictionary; English has more rules of its own. */
export const misspelt: Rule = (draft) => {
  const isOff = isEnglish(draft) || draft.brand.style.spelling === 'off'
  const speller = isOff ? undefined : dictionaryFor(draft.locale)
  if (!speller) return []
  const isMade = ({ written }: Spelled): boolean => /^de\b/.test(draft.locale) && isGermanMade(written, speller)
  const unknown = unknownWords(draft, speller).filter((one) => !isEnglishHere(one) && !isMade(one))
  if (isForeign(draft, unknown.length)) return []
  return once(unknown).slice(0, maxLooked).flatMap(({ written, start }) => {
    const suggestions = nearTo(written, speller)
    return suggestions.length === 0
      ? []
      : [found(draft, 'CNT-LOC-MISSPELT', 'suggestion', start, start + written.length,
          'No dictionary has this word', { suggestions })]
  })
}
