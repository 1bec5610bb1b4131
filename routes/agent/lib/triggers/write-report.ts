import { listCalls, type CallRecord } from '../../../../db/agent/calls.js'
import { findFiring } from '../../../../db/agent/firings.js'
import { insertReport } from '../../../../db/agent/reports.js'
import type { Db } from '../../../../db/index.js'
import type { ReportSentence } from '../../../../schemas/agent/reports.js'
import { citationOf } from '../calls/send-call.js'
import type { Deps, RunState } from '../run/run-state.js'
import { factsIn, hasWord, isWithin, leavesFor, sumsOf, type Facts, type Leaf, type Month, type Scope } from './report-facts.js'

/** A number or a name of a sentence; `at` is which word it is, -1 in backticks. */
type Token =
  | { kind: 'number', text: string, value: number, decimals: number, unit: string, at: number }
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
/** As German and others write it: 1.234,50. */
const decimalComma = /^([$€£]?[-+−]?)(\d{1,3}(?:\.\d{3})*|\d+),(\d{1,2})(?=%|[a-zA-Z]{1,4}$|$)/
const withPoint = (word: string): string =>
  word.replace(decimalComma, (_, sign: string, whole: string, fraction: string) =>
    `${sign}${whole.replaceAll('.', '')}.${fraction}`)

const units = new Set(['', '%', 'k', 'm', 'bn', 'b', 'kb', 'mb', 'gb', 'tb', 'kib', 'mib', 'gib', 'tib', 'bytes', 'ms',
  's', 'sec', 'min', 'h', 'd', 'x', 'usd', 'eur', 'gbp', 'vcpu', 'rps'])
/** What stands for which currencies: several call theirs dollars. */
const dollars = ['usd', 'aud', 'cad', 'nzd', 'sgd', 'hkd']
const currencies: Record<string, readonly string[]> = { usd: ['usd'], eur: ['eur'], gbp: ['gbp'], $: dollars }

/** Units that stand behind a number as words of their own. */
const unitWords: Record<string, string> = {
  millisecond: 'ms',
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'd',
  byte: 'bytes',
  percent: '%',
  prozent: '%',
  dollar: '$',
  euro: 'eur',
  pound: 'gbp',
  '€': 'eur',
  $: '$',
  '£': 'gbp'
}
const signs: Record<string, string> = { $: '$', '€': 'eur', '£': 'gbp' }

const unitOf = (word: string | undefined): string => {
  const plain = (word ?? '').toLowerCase().replace(/[^a-z%µ$€£]/g, '')
  if (units.has(plain)) return plain
  return unitWords[plain.replace(/s$/, '')] ?? ''
}

const numberOf = (word: string, following: string | undefined, at: number): Token | undefined => {
  const match = numberWord.exec(withPoint(word))
  if (!match) return undefined
  const [, money = '', sign = '', whole = '', fraction = '', attached = ''] = match
  if (!units.has(attached.toLowerCase())) return undefined
  const value = Number(`${sign === '−' || sign === '-' ? '-' : ''}${whole.replaceAll(',', '')}${fraction}`)
  const unit = signs[money] ?? (attached === '' ? unitOf(following) : attached.toLowerCase())
  return { kind: 'number', text: word, value, decimals: Math.max(0, fraction.length - 1), unit, at }
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

const tokenOf = (word: string, following: string | undefined, at: number): Token | undefined => {
  const plain = trimMarks(word)
  if (plain === '') return undefined
  return numberOf(plain, following, at) ?? (isName(plain) ? { kind: 'name', text: plain } : undefined)
}

const withoutMarks = (text: string): string => text
  // The number of a list's item is none of the report.
  .replace(/^\s*\d{1,2}[.)]\s+/, '').replace(/^\s*(#{1,6}|[-*+>])\s+/, '')
  .replace(/\[([^\][]{1,300})\]\([^()]{0,300}\)/g, '$1').replace(/\*\*|__/g, '')

const splitWords = (text: string): string[] => text.split(/\s+|(?<=\w)[/](?=\s)|[–—→=≈~]{1,9}(?=\s|\d)|(?<=\d)[–—→](?=\d)/).filter(Boolean)

const tokensOfWords = (words: readonly string[]): Token[] => {
  const isUnit = (index: number) => numberWord.test(withPoint(trimMarks(words[index - 1] ?? ''))) &&
    unitOf(words[index]) !== ''
  return words.flatMap((word, index) => isUnit(index) ? [] : tokenOf(word, words[index + 1], index) ?? [])
}

/** @returns its words; its numbers, and those of its words that look like names: what stands in backticks always is one */
const readWords = (sentence: string): { words: string[], tokens: Token[] } => {
  const text = withoutMarks(sentence)
  const code = [...text.matchAll(codeSpan)].flatMap(([, span = '']): Token[] => {
    const plain = span.trim()
    const number = numberOf(plain, undefined, -1)
    return plain === '' ? [] : [number ?? { kind: 'name', text: plain }]
  })
  const words = splitWords(text.replace(codeSpan, ' '))
  return { words, tokens: [...code, ...tokensOfWords(words)] }
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

type NumberToken = Extract<Token, { kind: 'number' }>

/** The length of a list has no unit, and a sum of money is in its own currency. */
const hasUnit = ({ isLength, currency }: Leaf, { unit }: NumberToken): boolean =>
  isLength ? unit === '' : currency === undefined || (currencies[unit]?.includes(currency) ?? true)

const isValue = (value: number, { value: shown, decimals, unit }: NumberToken): boolean =>
  factorsOf(unit).some((factor) => factor === 1 && Number.isInteger(value)
    // A whole number is exact: nothing rounds to it but a fraction.
    ? Math.abs(value) === Math.abs(shown)
    : rounds(value / factor, shown, decimals))

/** @returns where a cited result has the number, nowhere for a name; undefined where none has it */
const findToken = (facts: readonly Facts[], leaves: readonly Leaf[], token: Token): Leaf[] | undefined => {
  if (token.kind === 'name') return facts.some(({ text }) => hasWord(text, token.text.toLowerCase())) ? [] : undefined
  const found = leaves.filter((leaf) => hasUnit(leaf, token) && isValue(leaf.value, token))
  return found.length > 0 ? found : undefined
}

const isNumber = (token: Token): token is NumberToken => token.kind === 'number'

/** Two numbers of a sentence of which one became the other: "from 3 to 5". */
interface Change { from: NumberToken, to: NumberToken }

const words = {
  from: ['from', 'von'],
  to: ['to', 'auf'],
  up: ['rose', 'rise', 'rises', 'risen', 'grew', 'grow', 'grows', 'grown', 'increase', 'increased', 'increases', 'up',
    'climbed', 'jumped', 'stieg', 'stiegen', 'gestiegen', 'wuchs', 'gewachsen'],
  down: ['fell', 'fall', 'falls', 'fallen', 'dropped', 'drop', 'drops', 'decrease', 'decreased', 'decreases', 'down',
    'declined', 'shrank', 'sank', 'fiel', 'fielen', 'gefallen', 'sanken', 'gesunken']
}

/** How many words may stand between "from" or "to" and its number. */
const reach = 3

const findChange = (said: readonly string[], tokens: readonly Token[]): Change | undefined => {
  const byPlace = new Map(tokens.flatMap((token): [number, NumberToken][] =>
    isNumber(token) && token.unit !== '%' ? [[token.at, token]] : []))
  const after = (at: number): NumberToken | undefined =>
    Array.from({ length: reach }, (_, index) => byPlace.get(at + index + 1)).find(Boolean)
  const next = (wanted: readonly string[], from: number): NumberToken | undefined => {
    const at = said.findIndex((word, index) => index >= from && wanted.includes(word) && after(index) !== undefined)
    return at < 0 ? undefined : after(at)
  }
  const from = next(words.from, 0)
  const to = from && next(words.to, from.at)
  return from && to && { from, to }
}

/** The share or the change of two numbers, in percent; where the sentence says which became which, of the first. */
const isPercentOf = (token: NumberToken, values: readonly number[], change: Change | undefined): boolean => {
  const shows = (percent: number) => rounds(percent, token.value, token.decimals)
  if (change) return change.from.value !== 0 && shows(100 * (change.to.value - change.from.value) / change.from.value)
  return values.some((a) => values.some((b) => b !== 0 && a !== b &&
    (shows(100 * a / b) || shows(100 * (a - b) / b))))
}

interface Quantity { value: number, unit: string }

/** What a sentence leaves unsaid, its result says: `762.40 before` is money where the result's number is. */
const toQuantity = ({ value, unit }: NumberToken, leaves: readonly Leaf[]): Quantity =>
  ({ value, unit: unit || (leaves.find(({ currency }) => currency !== undefined)?.currency ?? '') })

const isSameUnit = (a: string, b: string): boolean =>
  a === b || (currencies[a]?.some((one) => currencies[b]?.includes(one)) ?? false)

/** So many numbers of a sentence are reckoned with, each with each; one with more is no sentence. */
const mostReckoned = 20

/**
 * @param found the numbers of the sentence that a result has
 * @returns whether a number that no result has is reckoned from those, or is the sum of a column
 */
const isReckoned = (token: NumberToken, found: readonly Quantity[], sums: (unit: string) => readonly number[],
  change: Change | undefined): boolean => {
  const some = found.slice(0, mostReckoned)
  if (token.unit === '%') return isPercentOf(token, some.map(({ value }) => value), change)
  return sums(token.unit).some((sum) => isValue(sum, token)) || some.some((a, index) => some.slice(index + 1).some((b) =>
    isSameUnit(a.unit, b.unit) && (token.unit === '' || isSameUnit(a.unit, token.unit)) &&
    [a.value - b.value, a.value + b.value].some((result) => rounds(result, token.value, token.decimals))))
}

/** @returns the word that says the other direction than the numbers; the second number where it was before the first */
const findWrongChange = (said: readonly string[], found: ReadonlyMap<Token, Leaf[]>, change: Change | undefined):
string[] => {
  if (!change) return []
  const says = (wanted: readonly string[]) => said.find((word) => wanted.includes(word))
  const [up, down] = [says(words.up), says(words.down)]
  const by = change.to.value - change.from.value
  if (up !== undefined && down === undefined && by < 0) return [up]
  if (down !== undefined && up === undefined && by > 0) return [down]
  const daysOf = (token: NumberToken, day: 'first' | 'last'): string[] => {
    const leaves = found.get(token) ?? []
    const days = leaves.flatMap(({ period }) => period?.[day] ?? [])
    return days.length === leaves.length ? days.toSorted() : []
  }
  const [earliest, latest] = [daysOf(change.from, 'first')[0], daysOf(change.to, 'last').at(-1)]
  return earliest !== undefined && latest !== undefined && earliest > latest ? [change.to.text] : []
}

const monthNames = [['january', 'januar'], ['february', 'februar'], ['march', 'märz'], ['april'], ['may', 'mai'],
  ['june', 'juni'], ['july', 'juli'], ['august'], ['september'], ['october', 'oktober'], ['november'],
  ['december', 'dezember']]

/** @returns the months that a sentence names: October, October 2026, 2026-10, 2026-10-03 */
const findMonths = (spoken: readonly string[]): Month[] => spoken.flatMap((word, index): Month[] => {
  const iso = /^(\d{4})-(\d{2})(?:$|-\d{2})/.exec(word)
  if (iso) return [{ year: Number(iso[1]), month: Number(iso[2]) }]
  const month = monthNames.findIndex((some) => some.includes(word.toLowerCase())) + 1
  const year = /^\d{4}$/.exec(spoken[index + 1] ?? '')?.[0]
  // Names of months are capitalized; the first word is, too, and "may" and "march" are verbs.
  if (month === 0 || !/^\p{Lu}/u.test(word) || (index === 0 && (month === 5 || month === 3) && !year)) return []
  return [{ month, year: year === undefined ? undefined : Number(year) }]
})

/** @returns whether the token is a month, or the year of one, of which a cited result is: in no need of being in its text */
const isOfTime = (token: Token, spoken: readonly string[], known: readonly Facts[]): boolean => {
  const months = token.kind === 'name'
    ? findMonths([token.text])
    : token.at > 0 ? findMonths(spoken.slice(token.at - 1, token.at + 1)) : []
  return months.some(({ year }) => year !== undefined) && known.some(({ leaves }) =>
    leaves.some(({ period }) => period !== undefined && isWithin(period, months)))
}

/** A stored result that a report may cite. */
interface Source {
  id: string
  /** What stands for it in a citation. */
  names: readonly string[]
  /** Its arguments. */
  input?: unknown
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

/** The sums of columns in a unit, made when they are first asked for. */
const sumsByUnit = (leaves: readonly Leaf[]) => {
  const made = new Map<string, number[]>()
  return (unit: string): readonly number[] => {
    const held = made.get(unit)
    if (held) return held
    const own = currencies[unit]
    const sums = sumsOf(own ? leaves.filter(({ currency }) => currency === undefined || own.includes(currency)) : leaves)
    made.set(unit, sums)
    return sums
  }
}

const judge = (part: string, ids: ReadonlyMap<string, string>, facts: ReadonlyMap<string, Facts>): ReportSentence => {
  const { text, calls, unknown, alert } = readCitations(part, ids)
  const { words: raw, tokens: all } = readWords(text)
  const known = [...calls, ...(alert ? ['alert'] : [])].flatMap((id) => facts.get(id) ?? [])
  const base = { text, tool_call_ids: calls, cites_alert: alert }
  if (known.length + unknown.length === 0) {
    return { ...base, status: all.length > 0 ? 'uncited' : 'none', missing: [] }
  }
  const spoken = raw.map(trimMarks)
  const said = spoken.map((word) => word.toLowerCase())
  const scope: Scope = { text, months: findMonths(spoken) }
  const leaves = known.flatMap((one) => leavesFor(one, scope))
  const tokens = all.filter((token) => !isOfTime(token, spoken, known))
  const found = new Map(tokens.flatMap((token): [Token, Leaf[]][] => {
    const places = findToken(known, leaves, token)
    return places ? [[token, places]] : []
  }))
  const change = findChange(said, tokens)
  const sums = sumsByUnit(leaves)
  const numbers = [...found].flatMap(([token, places]) => isNumber(token) ? [toQuantity(token, places)] : [])
  const missing = tokens.filter((token) => !found.has(token) &&
    !(isNumber(token) && isReckoned(token, numbers, sums, change))).map(({ text: token }) => token)
  const lacks = [...new Set([...unknown, ...missing, ...findWrongChange(said, found, change)])]
  return { ...base, status: lacks.length > 0 ? 'unsupported' : 'supported', missing: lacks }
}

/**
 * Compares a report with the results that it cites. Of each sentence, every number and every name must be in one of the
 * results that this very sentence cites: a number in a row that the sentence names, where it names one of the list, in a
 * month that it names, and in its currency. It is no proof that the sentence is true: it says where each figure is from.
 *
 * Allowed are: 1,234 for 1234; a number rounded to the digits that are shown; 37 % for 0.37; a size or a time in
 * another unit; the length of a list, without a unit; the difference or the sum of two numbers of the same sentence, and
 * the sum of a column of the rows that it names; and the share or the change, in percent, of two numbers. Where a
 * sentence says from what to what, both are compared with the word for it, with their times and with the percentage.
 * @param alert what set the run off, which `[alert]` cites; undefined where nothing was sent
 * @returns all sentences, in their order, without the citations
 */
export const checkReport = (text: string, sources: readonly Source[], alert: unknown): ReportSentence[] => {
  const ids = new Map(sources.flatMap(({ id, names }) => names.map((name): [string, string] => [name, id])))
  const facts = new Map(sources.map(({ id, input, result }): [string, Facts] => [id, factsIn(result, input)]))
  if (alert !== undefined) facts.set('alert', factsIn(alert))
  return splitSentences(text).map((part) => judge(part, ids, facts))
}

const sourceOf = (call: CallRecord): Source => ({
  id: call.id, names: [citationOf(call), call.id, call.tool_use_id], input: call.effective_input ?? call.input, result: call.result
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
