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

export interface Measure { number: string, unit: string | undefined }

const glued = (word: string): string | undefined => names[/^[\d.,]+([a-z%]+)$/.exec(word)?.[1] ?? '']

const afterNumber = (words: readonly Word[], at: number): string | undefined =>
  [words[at + 1], words[at + 2]].map((next) => next && names[next.word]).find((name) => name !== undefined)

/** @returns the numbers of a text, with their units where those are known */
export const measuresOf = (text: string): Measure[] => {
  const words = wordsAt(text)
  return words.flatMap(({ word }, at) => {
    const number = numberIn(word)
    return number === undefined ? [] : [{ number, unit: glued(word) ?? afterNumber(words, at) }]
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
