import { listCalls, type CallRecord } from '../../../../db/agent/calls.js'
import { findFiring } from '../../../../db/agent/firings.js'
import { insertReport } from '../../../../db/agent/reports.js'
import type { Db } from '../../../../db/index.js'
import type { ReportSentence } from '../../../../schemas/agent/reports.js'
import { citationOf } from '../calls/send-call.js'
import type { Deps, RunState } from '../run/run-state.js'

/** A number or a name of a sentence. */
type Token =
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
const findTokens = (sentence: string): Token[] => {
  const text = withoutMarks(sentence)
  const code = [...text.matchAll(codeSpan)].flatMap(([, span = '']): Token[] => {
    const plain = span.trim()
    const number = numberOf(plain, undefined)
    return plain === '' ? [] : [number ?? { kind: 'name', text: plain }]
  })
  return [...code, ...tokensOfWords(text.replace(codeSpan, ' '))]
}

/** What a result has: its numbers, and all of its text, in lower case. */
interface Facts { numbers: number[], text: string }

/** The parts of dates, times, ids and addresses are no figures. */
const noFigures = new RegExp('\\d{4}-\\d{2}-\\d{2}(T[\\d:.]+(Z|[+-]\\d{2}:?\\d{2})?)?|' +
  '\\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b|\\b\\d{1,3}(\\.\\d{1,3}){3}\\b', 'gi')

/** No part of a version or of a name. */
const figure = /(?<![\w.])-?\d+(?:\.\d+)?(?!\d|\.\d|[a-z_-]+\d)/gi

const numbersIn = (text: string): number[] =>
  [...text.replace(noFigures, ' ').matchAll(figure)].map(([number]) => Number(number))

const walk = (value: unknown, numbers: number[], texts: string[]): void => {
  if (typeof value === 'number') {
    numbers.push(value)
    texts.push(String(value))
  } else if (typeof value === 'string') {
    numbers.push(...numbersIn(value.replace(/(?<=\d),(?=\d{3})/g, '')))
    texts.push(value)
  } else if (Array.isArray(value)) {
    numbers.push(value.length)
    for (const item of value) walk(item, numbers, texts)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      texts.push(key)
      walk(item, numbers, texts)
    }
  } else texts.push(String(value))
}

/** @returns the numbers and texts anywhere in a result, and how long its lists are */
const factsIn = (result: unknown): Facts => {
  const facts: { numbers: number[], texts: string[] } = { numbers: [], texts: [] }
  walk(result, facts.numbers, facts.texts)
  return { numbers: [...new Set(facts.numbers)], text: facts.texts.join('\n').toLowerCase() }
}

/**
 * By how much a number of a result may be larger than the same in the unit that is shown. Never the other way: each 1
 * would be a 1,024.
 */
const factors: Record<string, number[]> = {
  k: [1e3],
  m: [1e6, 60, 60_000],
  b: [1e9],
  bn: [1e9],
  kb: [1e3, 2 ** 10],
  kib: [2 ** 10],
  mb: [1e3, 1e6, 2 ** 10, 2 ** 20],
  mib: [2 ** 10, 2 ** 20],
  gb: [1e3, 1e9, 2 ** 10, 2 ** 30],
  gib: [2 ** 10, 2 ** 30],
  tb: [1e3, 1e12, 2 ** 10, 2 ** 40],
  tib: [2 ** 10, 2 ** 40],
  s: [1_000],
  sec: [1_000],
  min: [60, 60_000],
  h: [60, 3_600, 3_600_000],
  d: [24, 86_400, 86_400_000],
  '%': [1 / 100]
}

const factorsOf = (unit: string): number[] => [1, ...factors[unit] ?? []]

/** Whether one number, rounded to the digits of the other, is the other. A sign may be a word of the sentence. */
const rounds = (exact: number, shown: number, decimals: number): boolean =>
  Math.abs(Math.abs(exact) - Math.abs(shown)) <= 0.5 * 10 ** -decimals + 1e-9

const hasNumber = ({ numbers }: Facts, { value, decimals, unit }: Extract<Token, { kind: 'number' }>): boolean =>
  factorsOf(unit).some((factor) => numbers.some((number) => factor === 1 && Number.isInteger(number)
    // A whole number is exact: nothing rounds to it but a fraction.
    ? Math.abs(number) === Math.abs(value)
    : rounds(number / factor, value, decimals)))

const isPart = (char: string | undefined): boolean => char !== undefined && /[a-z0-9_-]/.test(char)

/** Whether the text has the name, and not as a part of a longer one: `web` is not in `web-canary`. */
const hasName = ({ text }: Facts, name: string): boolean => {
  const wanted = name.toLowerCase()
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (!isPart(text[at - 1]) && !isPart(text[at + wanted.length])) return true
  }
  return false
}

/** @returns whether a result has the number or the name */
const isIn = (facts: Facts, token: Token): boolean => token.kind === 'name'
  ? hasName(facts, token.text)
  : hasNumber(facts, token)

/** @returns whether the token is the share or the change, in percent, of two numbers that were found */
const isPercentOf = (token: Token, found: readonly Token[]): boolean => {
  if (token.kind !== 'number' || token.unit !== '%') return false
  const values = found.flatMap((one) => one.kind === 'number' ? one.value : [])
  return values.some((a) => values.some((b) => b !== 0 && a !== b &&
    (rounds(100 * a / b, token.value, token.decimals) || rounds(100 * (a - b) / b, token.value, token.decimals))))
}

/** A stored result that a report may cite. */
interface Source {
  id: string
  /** What stands for it in a citation. */
  names: readonly string[]
  /** Whole, as it is stored. */
  result: unknown
}

const citation = /\s{0,9}\[(?:call:([^\]\s]{1,64})|(alert))\]/g

/** A sentence goes on to its citations, also to those behind the full stop; a line break ends it. */
const sentence = /[^\n]*?(?:(?<!(?:^|\n)\s*\d{1,2})[.!?](?=\s|\[|$)(?:\s*\[(?:call:[^\]\s]{1,64}|alert)\])*(?:[^\S\n]+|(?=\n|$))|(?=\n|$))\n*/g

const splitSentences = (text: string): string[] => (text.match(sentence) ?? []).filter((part) => part !== '')

interface Cited { text: string, calls: string[], unknown: string[], alert: boolean }

const readCitations = (part: string, ids: ReadonlyMap<string, string>): Cited => {
  const cited: Cited = { text: part.replace(citation, ''), calls: [], unknown: [], alert: false }
  for (const [, name, alert] of part.matchAll(citation)) {
    const id = ids.get(name ?? '')
    if (alert) cited.alert = true
    else if (id === undefined) cited.unknown.push(`[call:${name ?? ''}]`)
    else if (!cited.calls.includes(id)) cited.calls.push(id)
  }
  return cited
}

const judge = (part: string, ids: ReadonlyMap<string, string>, facts: ReadonlyMap<string, Facts>): ReportSentence => {
  const { text, calls, unknown, alert } = readCitations(part, ids)
  const tokens = findTokens(text)
  const known = [...calls, ...(alert ? ['alert'] : [])].flatMap((id) => facts.get(id) ?? [])
  const found = tokens.filter((token) => known.some((one) => isIn(one, token)))
  const missing = tokens.filter((token) => !found.includes(token) && !isPercentOf(token, found))
  const cites = known.length + unknown.length > 0
  const base = { text, tool_call_ids: calls, cites_alert: alert }
  if (!cites) return { ...base, status: tokens.length > 0 ? 'uncited' : 'none', missing: [] }
  const lacks = [...new Set([...unknown, ...missing.map(({ text: token }) => token)])]
  return { ...base, status: lacks.length > 0 ? 'unsupported' : 'supported', missing: lacks }
}

/**
 * Compares a report with the results that it cites. Of each sentence, every number and every name must be in one of the
 * results that this very sentence cites. It is no proof that the sentence is true: it says where each figure is from.
 *
 * Allowed are: 1,234 for 1234; a number rounded to the digits that are shown; 37 % for 0.37; a size or a time in
 * another unit; the length of a list; and the share or the change, in percent, of two numbers of the same sentence.
 * @param alert what set the run off, which `[alert]` cites; undefined where nothing was sent
 * @returns all sentences, in their order, without the citations
 */
export const checkReport = (text: string, sources: readonly Source[], alert: unknown): ReportSentence[] => {
  const ids = new Map(sources.flatMap(({ id, names }) => names.map((name): [string, string] => [name, id])))
  const facts = new Map(sources.map(({ id, result }): [string, Facts] => [id, factsIn(result)]))
  if (alert !== undefined) facts.set('alert', factsIn(alert))
  return splitSentences(text).map((part) => judge(part, ids, facts))
}

const sourceOf = (call: CallRecord): Source => ({
  id: call.id, names: [citationOf(call), call.id, call.tool_use_id], result: call.result
})

/**
 * Checks the last answer of a run that nobody reads along, against the whole results as they are stored.
 * @returns what stores the report, with the answer itself; undefined where the run has none to write
 */
export const writeReport = async (deps: Deps, { key, firing: id, title }: RunState, text: string):
Promise<((trx: Db) => Promise<void>) | undefined> => {
  const { workspace_id, run_id, session_id, user_id } = key
  if (id === null || text.trim() === '') return undefined
  const [calls, firing] = await Promise.all([
    listCalls(deps.db, workspace_id, run_id), findFiring(deps.db, workspace_id, id)
  ])
  if (!firing) return undefined
  const alert = firing.alert === null ? undefined : { title: firing.title, alert: firing.alert }
  const sentences = checkReport(text, calls.map(sourceOf), alert)
  const unsupported = sentences.filter(({ status }) => status === 'unsupported' || status === 'uncited').length
  const report = { user_id, firing_id: id, session_id, run_id, title: title ?? firing.title, sentences, unsupported }
  return (trx) => insertReport(trx, workspace_id, report)
}
