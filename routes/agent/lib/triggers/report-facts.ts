import { isObject } from '../../../../schemas/unknown.js'

/** What a sentence says of its numbers beside the numbers: a number of a result stands for it only where these agree. */
export interface Scope {
  /** The sentence, for the rows that it names. */
  text: string
  /** The months that it names, with a year where it has one. */
  months: readonly Month[]
}

export interface Month { month: number, year: number | undefined }

/** A row of a list, or of an object whose keys are data, such as costs by service. */
interface Row { list: object }

/** Days as they sort, `2026-10-01`; both included. */
interface Period { first: string, last: string }

/** A number of a result, and where it stands: of which rows, of which time, in which currency. */
export interface Leaf {
  value: number
  /** The number of items of a list is a count, and nothing else. */
  isLength: boolean
  /** The rows that it is in, the outermost first. */
  rows: readonly Row[]
  /** Its name in its row, so that a column can be summed up. */
  column: string
  period: Period | undefined
  currency: string | undefined
}

/** What a result has: its numbers with their places, and all of its text in lower case. */
export interface Facts {
  leaves: Leaf[]
  /** The rows by what names them, and those names by their first word: a sentence looks up its own words. */
  rows: ReadonlyMap<string, Row[]>
  labels: ReadonlyMap<string, string[]>
  text: string
}

/** The parts of dates, times, ids and addresses are no figures. */
const noFigures = new RegExp('\\d{4}-\\d{2}-\\d{2}(T[\\d:.]+(Z|[+-]\\d{2}:?\\d{2})?)?|' +
  '\\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b|\\b\\d{1,3}(\\.\\d{1,3}){3}\\b', 'gi')

/** No part of a version or of a name. */
const figure = /(?<![\w.])-?\d+(?:\.\d+)?(?!\d|\.\d|[a-z_-]+\d)/gi

const numbersIn = (text: string): number[] =>
  [...text.replace(/(?<=\d),(?=\d{3})/g, '').replace(noFigures, ' ').matchAll(figure)].map(([number]) => Number(number))

const mostLabel = 80
const isLabel = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= mostLabel && /\p{L}/u.test(value) && !/^\d{4}-\d{2}/.test(value)

/** Names of fields are the schema's; any other key, such as `Amazon S3` or `eu-west-1`, is a name of the data. */
const isField = (key: string): boolean => /^[a-z][a-z0-9_]*$/.test(key)

/** What names an item of a list: its own strings, and those of its lists of strings. */
const labelsOf = (item: unknown): string[] => {
  if (isLabel(item)) return [item]
  if (!isObject(item)) return []
  return Object.values(item).flatMap((value) => Array.isArray(value) ? value.filter(isLabel) : isLabel(value) ? [value] : [])
}

const starts = ['start', 'start_date', 'from', 'since', 'day', 'date', 'month']
const ends = ['end_exclusive', 'end', 'end_date', 'to', 'until']
/** @returns a day or a month that there is */
const dayOf = (value: unknown): string | undefined => {
  const day = typeof value === 'string' ? /^\d{4}-\d{2}(?:-\d{2})?(?=$|T)/.exec(value)?.[0] : undefined
  return day === undefined || Number.isNaN(Date.parse(day)) ? undefined : day
}

const dayBefore = (day: string): string =>
  new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)

/** @returns the time that a record says it is of; undefined where it has none of its own */
const periodOf = (record: Record<string, unknown>): Period | undefined => {
  const first = starts.map((key) => dayOf(record[key])).find(Boolean)
  if (first === undefined) return undefined
  const key = ends.find((name) => dayOf(record[name]) !== undefined)
  const end = key === undefined ? first : dayOf(record[key]) ?? first
  // AWS calls the day after the last one `End`.
  const isExclusive = key === 'end_exclusive' || (key === 'end' && end > first && end.endsWith('-01'))
  return { first, last: isExclusive && end.length === 10 ? dayBefore(end) : end }
}

const currencyOf = (record: Record<string, unknown>): string | undefined => {
  const { currency } = record
  return typeof currency === 'string' && /^[A-Za-z]{3}$/.test(currency) ? currency.toLowerCase() : undefined
}

type Place = Pick<Leaf, 'rows' | 'column' | 'period' | 'currency'>

/** What is nested deeper is not read, so that no number of it supports anything. */
const mostLevels = 100

const firstWord = (text: string): string => /[\p{L}\p{N}]+/u.exec(text)?.[0].toLowerCase() ?? ''

class Reader {
  readonly leaves: Leaf[] = []
  readonly rows = new Map<string, Row[]>()
  readonly texts: string[] = []

  read (value: unknown, place: Place, levels = 0): void {
    if (levels > mostLevels) return
    if (Array.isArray(value)) this.#readList(value, place, levels + 1)
    else if (isObject(value)) this.#readRecord(value, place, levels + 1)
    else {
      this.texts.push(String(value))
      const numbers = typeof value === 'number' ? [value] : typeof value === 'string' ? numbersIn(value) : []
      for (const number of numbers) this.leaves.push({ ...place, value: number, isLength: false })
    }
  }

  #readList (items: unknown[], place: Place, levels: number): void {
    this.leaves.push({ ...place, value: items.length, isLength: true })
    const list = {}
    for (const item of items) this.read(item, this.#within(place, { list }, labelsOf(item)), levels)
  }

  #readRecord (record: Record<string, unknown>, outer: Place, levels: number): void {
    const place = {
      ...outer, period: periodOf(record) ?? outer.period, currency: currencyOf(record) ?? outer.currency
    }
    const list = {}
    for (const [key, value] of Object.entries(record)) {
      this.texts.push(key)
      const currency = /_(usd|eur)$/.exec(key)?.[1] ?? place.currency
      this.read(value, isField(key) ? { ...place, column: key, currency } : this.#within(place, { list }, [key]), levels)
    }
  }

  #within (place: Place, row: Row, labels: readonly string[]): Place {
    for (const label of new Set(labels)) {
      const named = this.rows.get(label) ?? []
      this.rows.set(label, named)
      named.push(row)
    }
    return { ...place, rows: [...place.rows, row] }
  }
}

/**
 * @param input the arguments of the call: its answer is of the time that was asked for, where it says none itself
 * @returns the numbers and texts of a result, and how long its lists are
 */
export const factsIn = (result: unknown, input?: unknown): Facts => {
  const reader = new Reader()
  const period = isObject(input) ? periodOf(input) : undefined
  reader.read(result, { rows: [], column: '', period, currency: undefined })
  const labels = new Map<string, string[]>()
  for (const label of reader.rows.keys()) {
    const first = firstWord(label)
    const alike = labels.get(first) ?? []
    labels.set(first, alike)
    alike.push(label)
  }
  return { leaves: reader.leaves, rows: reader.rows, labels, text: reader.texts.join('\n').toLowerCase() }
}

const isPart = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_-]/u.test(char)

/** @returns whether the text has the name, and not as a part of a longer one: `web` is not in `web-canary` */
export const hasWord = (text: string, wanted: string): boolean => {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (!isPart(text[at - 1]) && !isPart(text[at + wanted.length])) return true
  }
  return false
}

/** @returns the names of rows that a sentence has. Short ones are words of other languages, so their case counts */
const namedIn = ({ labels }: Facts, text: string): string[] => {
  const lower = text.toLowerCase()
  const words = new Set(lower.match(/[\p{L}\p{N}]+/gu))
  return [...words].flatMap((word) => labels.get(word) ?? [])
    .filter((label) => label.length < 3 ? hasWord(text, label) : hasWord(lower, label.toLowerCase()))
}

const monthsOf = ({ first, last }: Period): Month[] => {
  const months: Month[] = []
  const [year = 0, month = 1] = first.split('-').map(Number)
  for (let at = year * 12 + month - 1; months.length < 60; at++) {
    const named = { month: at % 12 + 1, year: Math.floor(at / 12) }
    if (`${named.year}-${String(named.month).padStart(2, '0')}` > last.slice(0, 7)) break
    months.push(named)
  }
  return months
}

/** @returns whether a time has to do with one of some months */
export const isWithin = (period: Period, wanted: readonly Month[]): boolean => monthsOf(period).some(({ month, year }) =>
  wanted.some((one) => one.month === month && (one.year === undefined || one.year === year)))

/**
 * @returns the numbers that a sentence may mean: where it names rows of a list, those of these rows; where it names
 * months, those of these months, and those whose time is not known
 */
export const leavesFor = (facts: Facts, { text, months }: Scope): Leaf[] => {
  const named = new Set(namedIn(facts, text).flatMap((label) => facts.rows.get(label) ?? []))
  const lists = new Set([...named].map(({ list }) => list))
  return facts.leaves.filter(({ rows, period }) =>
    rows.every((row) => !lists.has(row.list) || named.has(row)) &&
    (period === undefined || months.length === 0 || isWithin(period, months)))
}

/** @returns the sums of the columns of lists, over the rows that are given */
export const sumsOf = (leaves: readonly Leaf[]): number[] => {
  const columns = new Map<object, Map<string, number[]>>()
  for (const { rows, column: name, value, isLength, currency } of leaves) {
    const list = rows.at(-1)?.list
    if (!list || isLength) continue
    const values = columns.get(list) ?? new Map<string, number[]>()
    columns.set(list, values)
    const key = `${name} ${currency ?? ''}`
    const column = values.get(key) ?? []
    values.set(key, column)
    column.push(value)
  }
  return [...columns.values()].flatMap((values) => [...values.values()])
    .filter((values) => values.length > 1).map((values) => values.reduce((sum, value) => sum + value, 0))
}
