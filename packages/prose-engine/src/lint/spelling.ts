import { isCorrect, type Variant } from './english-dictionary.js'
import { found, isEnglish, type Draft, type Finding, type Rule } from './rule.js'
import { beginsSentence } from './sentence-start.js'
import { isTradeWord } from './trade-words.js'
import { isForeign, ownWords } from './known-words.js'

/** British and American spellings of one sound. A change counts where the dictionary has the result. */
const sounds = [['our', 'or'], ['is', 'iz'], ['ys', 'yz'], ['tre', 'ter'], ['ogue', 'og'], ['ence', 'ense'], ['ll',
  'l'],
['l', 'll'], ['ae', 'e'], ['oe', 'e'], ['rey', 'ray'], ['eque', 'eck'], ['yre', 'ire'], ['ould', 'old'], ['ough',
  'ow'],
['mme', 'm'], ['ium', 'um'], ['sc', 'sk'], ['dge', 'dg'], ['tef', 'tif'], ['tis', 'tic'], ['os', 'oz'], ['kerb',
  'curb'],
['orey', 'ory'], ['pp', 'p'], ['tt', 't'], ['ph', 'f']] as const

const changed = (word: string, from: string, to: string): string[] => {
  const all: string[] = []
  for (let at = word.indexOf(from); at >= 0; at = word.indexOf(from, at + 1)) {
    all.push(word.slice(0, at) + to + word.slice(at + from.length))
  }
  return all
}

/** @returns the word as the other variant spells it */
const otherSpelling = (word: string, variant: Variant): string | undefined => {
  const toBritish = variant === 'en-GB'
  return sounds.flatMap(([british, american]) =>
    toBritish ? changed(word, american, british) : changed(word, british, american))
    .find((one) => isCorrect(one, variant))
}

const letters = [...'abcdefghijklmnopqrstuvwxyz']
const maxSuggested = 5

/** @returns words at a distance of one letter, which most slips are */
const nearWords = (word: string, variant: Variant): string[] => {
  const cuts = Array.from({ length: word.length + 1 }, (_, at) => [word.slice(0, at), word.slice(at)] as const)
  // Two letters in the wrong order, one too many and one too few are more frequent than a wrong one.
  const near = new Set([
    ...cuts.map(([before, after]) => before + after.charAt(1) + after.charAt(0) + after.slice(2)),
    ...cuts.map(([before, after]) => before + after.slice(1)),
    ...cuts.flatMap(([before, after]) => letters.map((letter) => before + letter + after)),
    ...cuts.flatMap(([before, after]) => letters.map((letter) => before + letter + after.slice(1)))
  ])
  return [...near].filter((one) => one !== word && isCorrect(one, variant)).slice(0, maxSuggested)
}

const other = (variant: Variant): Variant => variant === 'en-GB' ? 'en-US' : 'en-GB'

/** @returns the variant in which the text is written; undefined = either */
const variantOf = ({ brand: { style: { spelling } }, locale }: Draft): Variant | undefined => {
  if (spelling === 'en-GB' || spelling === 'en-US') return spelling
  return locale === 'en-GB' || locale === 'en-US' ? locale : undefined
}

/** Words without digits, of ordinary case, and no part of an address, a path or a name with marks. */
const word = /(?<![\p{L}\p{N}_@#./\\'’&-])\p{L}\p{Ll}+(?:['’]\p{Ll}+)?(?![\p{L}\p{N}_@/\\]|\.\p{L}|['’]\p{L})/gu

const minLetters = 3
/** No dictionary has a longer one; of a word that is as long as a text, the words near to it would be too. */
export const maxLetters = 60
/** Words of one text that are compared with all words a letter away: hundreds each. */
const maxLooked = 30

interface Spelled { lowered: string, plain: string, start: number, end: number, isCapital: boolean }

const wordsOf = (text: string): Spelled[] => [...text.matchAll(word)]
  .filter(({ 0: written }) => written.length <= maxLetters).map(({ 0: found, index }) => ({
    lowered: found.toLowerCase().replace('’', '\''),
    plain: found.toLowerCase().replace(/['’]s$/, ''),
    start: index,
    end: index + found.length,
    isCapital: found.charAt(0) !== found.charAt(0).toLowerCase()
  })).filter(({ lowered, isCapital, start }) =>
    lowered.length >= minLetters && (!isCapital || beginsSentence(text, start)))

/** A finding of the other variant's spelling, which a repair may change where there is one right form. */
const otherVariant = (draft: Draft, { lowered, start, end, isCapital }: Spelled, variant: Variant): Finding => {
  const right = otherSpelling(lowered, variant)
  // A capital may be that of a name: the Lincoln Center is nowhere a Centre.
  return found(draft, 'CNT-LOC-SPELLING', 'suggestion', start, end, `The brand writes ${variant}`,
    { suggestions: right === undefined ? [] : [right], fixable: right !== undefined && !isCapital })
}

const prefix = /^(?:anti|auto|co|cross|de|dis|ex|hyper|inter|mega|meta|micro|mini|mis|multi|non|over|pre|pseudo|re|self|semi|sub|super|trans|un|under)/
const suffix = /(?:able|ability|ization|isation|ized|ised|less|like|wise|r|er|s|es)s?$/
const minPart = 4

/** English makes words of words: "retryable", "multithreaded", "roadmap". */
const isMade = (plain: string, isWord: (part: string) => boolean): boolean => {
  const stem = plain.replace(suffix, '')
  const bare = plain.replace(prefix, '')
  if (stem !== plain && stem.length >= minPart - 1 && (isWord(stem) || isWord(`${stem}e`))) return true
  if (bare !== plain && bare.length >= minPart && (isWord(bare) || isTradeWord(bare))) return true
  for (let at = minPart; at <= plain.length - minPart; at++) {
    if (isWord(plain.slice(0, at)) && isWord(plain.slice(at))) return true
  }
  return false
}

/** A word that stands so often is one of the writer, no slip. */
const ownFrom = 3
const minSlip = 4

/** @returns of words that no dictionary has, those that are a letter away from a word, once each */
const slipsAmong = (words: readonly Spelled[], variant: Variant): { one: Spelled, near: string[] }[] => {
  const counts = new Map<string, number>()
  for (const { plain } of words) counts.set(plain, (counts.get(plain) ?? 0) + 1)
  const first = new Map(words.toReversed().map((one) => [one.plain, one]))
  return words.filter((one) => first.get(one.plain) === one)
    .filter(({ plain }) => plain.length >= minSlip && (counts.get(plain) ?? 0) < ownFrom)
    .filter(({ plain }) => !isMade(plain, (part) => isCorrect(part, variant)))
    .slice(0, maxLooked).map((one) => ({ one, near: nearWords(one.plain, variant) })).filter(({ near }) =>
      near.length > 0)
}

/** Misspelt words, and those that the other side of the Atlantic spells so; English only. */
export const spelling: Rule = (draft) => {
  if (!isEnglish(draft) || draft.brand.style.spelling === 'off') return []
  const variant = variantOf(draft)
  const [first, second] = variant ? [variant, other(variant)] as const : ['en-GB', 'en-US'] as const
  const own = ownWords(draft)
  const words = wordsOf(draft.prose.text).filter(({ lowered }) => !isCorrect(lowered, first))
  const elsewhere = words.filter(({ plain }) => isCorrect(plain, second))
  // A capital at the start of a sentence may be that of a name.
  const unknown = words.filter(({ plain, isCapital }) => !isCapital && !own.has(plain) && !isTradeWord(plain) &&
    !isCorrect(plain, first) && !isCorrect(plain, second))
  return [
    ...(variant ? elsewhere.filter(({ plain }) => !isCorrect(plain, first)) : []).map((one) => otherVariant(draft, one,
      first)),
    ...(isForeign(draft, unknown.length) ? [] : slipsAmong(unknown, first)).map(({ one: { start, end }, near }) =>
      found(draft, 'CNT-LOC-MISSPELT', 'suggestion', start, end, 'No dictionary has this word', { suggestions: near }))
  ]
}
