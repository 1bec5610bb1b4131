/** A number or a name of a sentence. */
export type Token =
  | { kind: 'number', text: string, value: number, decimals: number, unit: string }
  | { kind: 'name', text: string }

/** Hyphenated words of English; whatever else has a hyphen may be the name of something. */
const english = new Set(('out of memory read only long running follow up on call roll back rolled re run non zero ' +
  'start started clean time timed to date well known cold dead letter auto scaling load health check checks high low ' +
  'level so called pre post self end user per cross in off over under fast slow one two three hard soft multi single ' +
  'day week month hour minute second side based term first last down full half error rate free left right open half ' +
  'old new re-run deploy deployed created create week to-date month-to-date year steady state long-term short part ' +
  'near real back fill filled early late right-size sized sizing built write heavy bound limited related wide ready ' +
  'the by at and or a').split(' '))

const isEnglish = (word: string): boolean => word.toLowerCase().split('-').every((part) => english.has(part))

/** Classes of answers and percentiles are words of the trade. */
const isTerm = (word: string): boolean => /^([1-5]xx|p\d{2,3}|\d(st|nd|rd|th)|\d{2,}(st|nd|rd|th))$/i.test(word)

const numberWord = /^([$€£]?)([-+−]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(%|[a-zA-Zµ]{1,4})?$/

const units = new Set(['', '%', 'k', 'm', 'bn', 'b', 'kb', 'mb', 'gb', 'tb', 'kib', 'mib', 'gib', 'tib', 'bytes', 'ms',
  's', 'sec', 'min', 'h', 'd', 'x', 'usd', 'eur', 'vcpu', 'rps'])

/** Units that stand behind a number as words of their own. */
const unitWords: Record<string, string> = {
  millisecond: 'ms', second: 's', minute: 'min', hour: 'h', day: 'd', byte: 'bytes', percent: '%'
}

const unitOf = (word: string | undefined): string => {
  const plain = (word ?? '').toLowerCase().replace(/[^a-z%µ]/g, '')
  if (units.has(plain)) return plain
  return unitWords[plain.replace(/s$/, '')] ?? ''
}

const numberOf = (word: string, following: string | undefined): Token | undefined => {
  const match = numberWord.exec(word)
  if (!match) return undefined
  const [, , sign = '', whole = '', fraction = '', attached = ''] = match
  if (!units.has(attached.toLowerCase())) return undefined
  const value = Number(`${sign === '−' || sign === '-' ? '-' : ''}${whole.replaceAll(',', '')}${fraction}`)
  const unit = attached === '' ? unitOf(following) : attached.toLowerCase()
  return { kind: 'number', text: word, value, decimals: Math.max(0, fraction.length - 1), unit }
}

const isName = (word: string): boolean => {
  if (!/[A-Za-z]/.test(word) || isTerm(word)) return /^\d[\d:.T\-Z+/]*\d$/.test(word) && /[:-]/.test(word)
  if (/\d/.test(word) || /[_/:~@#]/.test(word)) return true
  if (/[A-Za-z]\.[A-Za-z]/.test(word) && !/^(e\.g|i\.e|a\.m|p\.m|vs)$/i.test(word)) return true
  if (/[a-z][A-Z]/.test(word) || /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(word)) return true
  return word.includes('-') && !isEnglish(word)
}

const opening = new Set(' \t"\'“”‘’([{*,;:.!?<>|')
const closing = new Set(' \t"\'“”‘’)]}*,;:.!?<>|')

/** Looked at from both ends: an expression would look at each place between them. */
const trimMarks = (word: string): string => {
  let [start, end] = [0, word.length]
  while (start < end && opening.has(word.charAt(start))) start++
  while (end > start && closing.has(word.charAt(end - 1))) end--
  return word.slice(start, end)
}

const codeSpan = /`([^`\n]+)`/g

const tokenOf = (word: string, following: string | undefined): Token | undefined => {
  const plain = trimMarks(word)
  if (plain === '') return undefined
  return numberOf(plain, following) ?? (isName(plain) ? { kind: 'name', text: plain } : undefined)
}

const withoutMarks = (text: string): string => text
  // The number of a list's item is none of the report.
  .replace(/^\s*\d{1,2}[.)]\s+/, '').replace(/^\s*(#{1,6}|[-*+>])\s+/, '')
  .replace(/\[([^\][]{1,300})\]\([^()]{0,300}\)/g, '$1').replace(/\*\*|__/g, '')

const tokensOfWords = (text: string): Token[] => {
  const words = text.split(/\s+|(?<=\w)[/](?=\s)|[–—→=≈~]{1,9}(?=\s|\d)|(?<=\d)[–—→](?=\d)/).filter(Boolean)
  const isUnit = (index: number) => numberWord.test(trimMarks(words[index - 1] ?? '')) &&
    unitOf(words[index]) !== ''
  return words.flatMap((word, index) => isUnit(index) ? [] : tokenOf(word, words[index + 1]) ?? [])
}

/** @returns the numbers of a sentence, and its words that look like names: what stands in backticks always is one */
export const findTokens = (sentence: string): Token[] => {
  const text = withoutMarks(sentence)
  const code = [...text.matchAll(codeSpan)].flatMap(([, span = '']): Token[] => {
    const plain = span.trim()
    const number = numberOf(plain, undefined)
    return plain === '' ? [] : [number ?? { kind: 'name', text: plain }]
  })
  return [...code, ...tokensOfWords(text.replace(codeSpan, ' '))]
}
