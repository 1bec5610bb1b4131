/** A word of a text, normalised (NFKC, lower case), with its offsets. */
export interface Word { word: string, start: number, end: number }

const pattern = /[\p{L}\p{N}]+(?:[.,'’-][\p{L}\p{N}]+)*|%/gu

/** Of texts without other letters the same, and several times as fast. */
const asciiPattern = /[a-z0-9]+(?:[.,'-][a-z0-9]+)*|%/gi
const isAscii = /^[\0-\x7f]*$/

const normalise = (word: string): string => word.normalize('NFKC').toLowerCase().replaceAll('’', "'")

export const wordsAt = (text: string): Word[] => {
  const ascii = isAscii.test(text)
  return [...text.matchAll(ascii ? asciiPattern : pattern)].map(({ 0: word, index }) =>
    ({ word: ascii ? word.toLowerCase() : normalise(word), start: index, end: index + word.length }))
}

export const wordsOf = (text: string): string[] => isAscii.test(text)
  ? text.toLowerCase().match(asciiPattern) ?? []
  : wordsAt(text).map(({ word }) => word)

/** @returns the text's words only, as a key for comparisons */
export const keyOf = (text: string): string => wordsOf(text).join(' ')

const numerals = new Map(['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten',
  'eleven', 'twelve'].map((word, number) => [word, number]))
const zero = '0'.charCodeAt(0)

/** @returns the word as a number in digits, or undefined: "five" is 5, "1,000" is 1000, "30s" is 30 */
export const numberIn = (word: string): string | undefined => {
  const spelled = numerals.get(word) ?? 0
  // "one" is a pronoun as often as a number.
  if (spelled > 1) return String(spelled)
  const first = word.charCodeAt(0)
  if (first < zero || first > zero + 9) return undefined
  const digits = /^\d+(?:[.,]\d+)*/.exec(word)?.[0]
  if (digits === undefined) return undefined
  const plain = /^\d{1,3}(?:,\d{3})+$/.test(digits) ? digits.replaceAll(',', '') : digits.replace(',', '.')
  return plain.includes('.') && /^\d+\.\d+$/.test(plain) ? String(Number(plain)) : plain.replace(/^0+(?=\d)/, '')
}

const identifier = /\b[A-Z]{1,3}-\d+(?:\.AC\d+)?\b/g

/** @returns the numbers of a text in digits, without those of ids such as FR-001 */
export const numbersOf = (text: string): string[] =>
  wordsOf(text.replace(identifier, ' ')).flatMap((word) => numberIn(word) ?? [])

/** Words without content of their own. */
const fillers = new Set(('a an the of to in on at by for with and or as is are be been it its that this these those ' +
  'their his her our your from into than then so shall must should may can will system allow when if while where')
  .split(' '))

/** @returns the content words, each once */
export const contentWords = (text: string): Set<string> =>
  new Set(wordsOf(text).filter((word) => !fillers.has(word)))

/** @returns the share of common words, 0 to 1 (Jaccard) */
export const overlap = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  if (one.size === 0 && other.size === 0) return 1
  let common = 0
  for (const word of one) if (other.has(word)) common++
  return common / (one.size + other.size - common)
}

/** @returns the text, cut at a word with an ellipsis when it exceeds the limit */
export const shorten = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const cut = text.slice(0, limit - 1)
  const space = cut.lastIndexOf(' ')
  return `${(space > limit / 2 ? cut.slice(0, space) : cut).trimEnd()}…`.toWellFormed()
}
