import { isObject } from '../../schemas/unknown.js'
import { cutText } from '../streams/events.js'

/** How much is kept: bytes of a text, items of a list. */
interface Measure { text: number, items: number }

const shortestText = 200

/** A list or a text ends earlier; all that is there keeps its form. */
const shorten = (value: unknown, measure: Measure): unknown => {
  if (typeof value === 'string') return Buffer.byteLength(value) > measure.text ? cutText(value, measure.text) : value
  if (Array.isArray(value)) return value.slice(0, measure.items).map((item) => shorten(item, measure))
  return isObject(value) ? shortenObject(value, measure) : value
}

/** Where a page goes on begins after its last item: where some are left out, it would skip them. */
export const isContinuation = (name: string): boolean => /^(next|newer)_/.test(name)

const shortenObject = (object: Record<string, unknown>, measure: Measure): Record<string, unknown> => {
  const isCut = Object.values(object).some((value) => Array.isArray(value) && value.length > measure.items)
  return Object.fromEntries(Object.entries(object).filter(([name]) => !isCut || !isContinuation(name))
    .map(([name, value]) => [name, shorten(value, measure)]))
}

/**
 * An answer of at most so many bytes in the form of its schema, for programs: lists and texts of it end earlier.
 * @returns undefined where even that is too large
 */
export const fitStructure = (value: Record<string, unknown>, maxBytes: number):
{ value: Record<string, unknown>, isCut: boolean } | undefined => {
  const measure = { text: maxBytes, items: maxBytes }
  for (let shorter = value; ;) {
    if (Buffer.byteLength(JSON.stringify(shorter)) <= maxBytes) return { value: shorter, isCut: shorter !== value }
    if (measure.items === 0) return undefined
    // Texts first, as for a model: an item that is missing is worse than one whose text is shorter.
    if (measure.text > shortestText) measure.text = Math.max(shortestText, Math.floor(measure.text / 2))
    else measure.items = Math.floor(measure.items / 2)
    shorter = shortenObject(value, measure)
  }
}

type Json = Record<string, unknown>

/** Below this a table saves nothing worth reading another form for. */
const smallBytes = 1_000
const fewestRows = 5

/** No text is cut shorter than this before rows are left out. */
const shortestResultText = 300

const bytesOf = (text: string): number => Buffer.byteLength(text)

/** A list of like objects, without its names in every row. */
interface Table {
  count: number
  /** What is the same in every row. */
  same?: Json
  columns: string[]
  rows: unknown[][]
}

const columnsOf = (items: readonly Json[]): string[] | undefined => {
  const columns = [...new Set(items.flatMap(Object.keys))]
  return items.every((item) => Object.keys(item).length * 2 >= columns.length) ? columns : undefined
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null

const isSame = (items: readonly Json[], column: string): boolean =>
  items.every((item) => column in item && isScalar(item[column]) && item[column] === items[0]?.[column])

const toTable = (items: readonly Json[]): Table | undefined => {
  const all = columnsOf(items)
  if (!all) return undefined
  const same = all.filter((column) => isSame(items, column))
  const columns = all.filter((column) => !same.includes(column))
  return {
    count: items.length,
    ...(same.length > 0 && { same: Object.fromEntries(same.map((column) => [column, items[0]?.[column]])) }),
    columns,
    rows: items.map((item) => columns.map((column) => item[column] ?? null))
  }
}

/** Lists of like objects become tables, wherever they lie. */
const tabulate = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const items = value.map(tabulate)
    return items.length >= fewestRows && items.every(isObject) ? toTable(items) ?? items : items
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, tabulate(inner)]))
}

/** @returns the first part of the text, up to a line's or a word's end, and how to read on */
const cutAt = (text: string, most: number): string => {
  if (text.length <= most) return text
  const head = text.slice(0, most)
  const line = head.lastIndexOf('\n')
  const space = head.lastIndexOf(' ')
  const end = line > most * 0.8 ? line : space > most * 0.8 ? space : most
  const kept = text.slice(0, end).toWellFormed()
  return `${kept} … [cut after ${end} of ${text.length} characters: go on with offset ${end} where the tool takes ` +
    'one, else ask for this one alone]'
}

/** How much is kept: characters of a text, items of a list. */

const isTable = (value: Json): boolean => Array.isArray(value.columns) && Array.isArray(value.rows)

const shortenResult = (value: unknown, measure: Measure): unknown => {
  if (typeof value === 'string') return cutAt(value, measure.text)
  if (Array.isArray(value)) return shortenList(value, measure)
  if (!isObject(value)) return value
  if (isTable(value)) return shortenTable(value, measure)
  const shorter: Json = Object.fromEntries(Object.entries(value)
    .map(([name, inner]) => [name, shortenResult(inner, measure)]))
  return 'next_cursor' in value ? withNext(value, shorter, measure) : shorter
}

const shortenList = (list: readonly unknown[], measure: Measure): unknown[] => {
  const kept = list.slice(0, measure.items).map((item) => shortenResult(item, measure))
  return kept.length === list.length ? kept : [...kept, `${kept.length} of ${list.length} shown`]
}

const rowsOf = ({ rows }: Json): unknown[] => Array.isArray(rows) ? rows : []

const shortenTable = (table: Json, measure: Measure): Json => {
  const all = rowsOf(table)
  const rows = all.slice(0, measure.items).map((row) => shortenResult(row, { ...measure, items: Infinity }))
  const same = isObject(table.same) ? { same: shortenResult(table.same, measure) } : {}
  return { ...table, ...same, rows, ...(rows.length < all.length && { shown: `${rows.length} of ${all.length}` }) }
}

const lengthOf = (value: unknown): number => Array.isArray(value) ? value.length : rowsOf(Object(value)).length

/** The cursor of a page begins after its last item: where some are left out, it would skip them. */
const withNext = (page: Json, shorter: Json, { items }: Measure): Json => {
  const cut = Object.values(page).map(lengthOf).find((length) => length > items)
  if (cut === undefined) return shorter
  const { next_cursor: _, ...rest } = shorter
  return {
    ...rest,
    shown: `${items} of ${cut} of this page`,
    next: items > 0 ? `Ask again with limit ${items}, then go on with the next_cursor of that answer` : 'Ask for less'
  }
}

/**
 * Halves first: what is tried then is never much larger than what fits, however large it was.
 * @returns the largest number up to `most` for which it fits; `least` where none does
 */
const largest = (least: number, most: number, fits: (size: number) => boolean): number => {
  let high = most
  let low = most
  while (low > least && !fits(low)) {
    high = low - 1
    low = Math.max(least, Math.floor(low / 2))
  }
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}

const longest = (value: unknown, of: (value: unknown) => number): number => {
  const inner = isObject(value) || Array.isArray(value) ? Object.values(value) : []
  return inner.reduce((most: number, child) => Math.max(most, longest(child, of)), of(value))
}

const textLength = (value: unknown): number => typeof value === 'string' ? value.length : 0
const listLength = (value: unknown): number => Array.isArray(value) ? value.length : 0

const fit = (value: unknown, maxBytes: number): string => {
  const write = (measure: Measure): string => JSON.stringify(shortenResult(value, measure))
  const fits = (measure: Measure): boolean => bytesOf(write(measure)) <= maxBytes
  const textMost = Math.min(maxBytes, longest(value, textLength))
  const text = largest(shortestResultText, textMost, (size) => fits({ text: size, items: Infinity }))
  if (fits({ text, items: Infinity })) return write({ text, items: Infinity })
  const items = largest(0, Math.min(maxBytes, longest(value, listLength)), (size) => fits({ text, items: size }))
  const written = write({ text, items })
  return bytesOf(written) <= maxBytes ? written : JSON.stringify({ text: cutText(written, Math.floor(maxBytes / 2)) })
}

/**
 * A result as a model reads it: always whole JSON. Lists of like objects are tables; what does not fit is shortened at
 * the ends of texts and lists, where it says how much there is and how to read on.
 * @param json the value as JSON, as it was made already
 */
export const fitResult = (value: unknown, json: string, maxBytes: number): string => {
  if (json.length < smallBytes && bytesOf(json) <= maxBytes) return json
  const table = tabulate(value)
  const compact = JSON.stringify(table)
  return bytesOf(compact) <= maxBytes ? compact : fit(table, maxBytes)
}
