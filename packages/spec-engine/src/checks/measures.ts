import { numberIn, wordsAt, type Word } from '../engine/words.js'

/** One name for each unit, whatever the spelling. */
const names: Record<string, string> = {}
const spelled = [
  'ms millisecond milliseconds', 's sec secs second seconds', 'min mins minute minutes', 'h hr hrs hour hours',
  'day days d', 'week weeks', 'month months', 'year years', '% percent', 'b byte bytes', 'kb kib kilobyte kilobytes',
  'mb mib megabyte megabytes', 'gb gib gigabyte gigabytes', 'tb tib', 'eur euro euros €', 'usd dollar dollars $',
  'km kilometre kilometres kilometer kilometers', 'm metre metres meter meters', 'cm mm', 'kg g', 'user users',
  'request requests', 'character characters', 'digit digits', 'time times', 'attempt attempts'
]
for (const line of spelled) {
  const [first = '', ...rest] = line.split(' ')
  for (const word of [first, ...rest]) names[word] = first
}

/** How many seconds or bytes a unit has: "30 minutes", "half an hour" and "1,800 s" are the same. */
const sizes: Record<string, [number, string]> = {
  ms: [0.001, 's'],
  s: [1, 's'],
  min: [60, 's'],
  h: [3_600, 's'],
  day: [86_400, 's'],
  week: [604_800, 's'],
  kb: [1e3, 'b'],
  mb: [1e6, 'b'],
  gb: [1e9, 'b'],
  tb: [1e12, 'b']
}

/** `said` is the number as it stands in the text, where another unit is meant. */
export interface Measure { number: string, unit: string | undefined, said?: string }

const normal = (number: string, unit: string | undefined): Measure => {
  const size = unit === undefined ? undefined : sizes[unit]
  return size === undefined
    ? { number, unit }
    : { number: String(Number((Number(number) * size[0]).toPrecision(12))), unit: size[1], said: `${number} ${unit ?? ''}` }
}

const glued = (word: string): string | undefined => names[/^[\d.,]+([a-z%]+)$/.exec(word)?.[1] ?? '']
const afterNumber = (words: readonly Word[], at: number): string | undefined =>
  [words[at + 1], words[at + 2]].map((next) => next && names[next.word]).find((name) => name !== undefined)
const isArticle = (word: string | undefined): boolean => word === 'a' || word === 'an' || word === 'one'

/** @returns the numbers of a text, with their units where those are known, times in seconds and sizes in bytes */
export const measuresOf = (text: string): Measure[] => {
  const words = wordsAt(text)
  return words.flatMap(({ word }, at): Measure[] => {
    if (word === 'half' && isArticle(words[at + 1]?.word)) {
      const unit = names[words[at + 2]?.word ?? '']
      return unit === undefined ? [] : [normal('0.5', unit)]
    }
    const number = numberIn(word)
    return number === undefined ? [] : [normal(number, glued(word) ?? afterNumber(words, at))]
  })
}

const joints = new Set(['and', 'or', 'to', 'the', 'a', 'an', 'in', 'on', 'at', 'by', 'for', 'when', 'if', 'then',
  'with', 'from', 'after', 'before', 'until', 'while', 'as'])
const labels = new Set(['level', 'version', 'status', 'code', 'port', 'step', 'section', 'chapter', 'rule', 'article',
  'phase', 'stage', 'release', 'number', 'no', 'page', 'line', 'row', 'figure', 'table', 'year', 'in', 'since', 'of'])
const currency = /[$€£¥]\s?$/

const isNamed = (text: string, before: Word | undefined): boolean => {
  if (!before) return false
  const word = text.slice(before.start, before.end)
  return labels.has(before.word) || /^\p{Lu}[\p{Lu}\d]/u.test(word)
}

const isRange = (words: readonly Word[], at: number): boolean =>
  /^(?:and|or|to)$/.test(words[at + 1]?.word ?? '') && numberIn(words[at + 2]?.word ?? '') !== undefined

/** @returns the numbers that no unit follows; parts of names such as "TLS 1.3" do not count */
export const barNumbers = (text: string): { start: number, end: number }[] => {
  const words = wordsAt(text)
  return words.filter(({ word, start, end }, at) => {
    if (!/^\d[\d.,]*$/.test(word) || currency.test(text.slice(Math.max(0, start - 2), start))) return false
    if (isNamed(text, words[at - 1]) || isRange(words, at)) return false
    const next = words[at + 1]
    const isCut = next === undefined || /[.,;:!?)]/.test(text.slice(end, next.start)) || joints.has(next.word)
    const isJoined = /[-/:\p{L}\p{Sc}°]/u.test(text.charAt(end)) || /[-/:#\p{L}]/u.test(text.charAt(start - 1))
    return isCut && !isJoined
  }).map(({ start, end }) => ({ start, end }))
}
