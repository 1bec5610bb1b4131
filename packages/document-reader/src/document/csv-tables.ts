import type { Cell } from './block.js'
import { csvRecord, headerOf } from './tables.js'

/** A table of comma-separated values; a record is a line, or more where a value has line breaks. */
export interface CsvTable {
  /** Lines above its names: titles. */
  titles: Cell[]
  /** Missing where the first record has values already. */
  names: Cell[] | undefined
  header: string[]
  records: Cell[][]
}

/** A record with more values than columns, where nothing says which of its commas are text. */
export interface UnsureRecord { line: number, values: number, columns: number }

interface Csv { tables: CsvTable[], unsure: UnsureRecord | undefined }

const delimiters = [',', ';', '\t'] as const
/** Records by which the separator is known. */
const sample = 20
/** As some programs of Excel write it. */
const separatorLine = /^sep=([,;\t])\r?\n/i

const isEmpty = ({ start, end }: Cell): boolean => end <= start

const withoutEmptyEnd = (cells: readonly Cell[]): Cell[] =>
  cells.slice(0, cells.findLastIndex((cell) => !isEmpty(cell)) + 1)

/** @returns the records of a text; an empty one stands for a blank line */
const recordsOf = (text: string, from: number, delimiter: string, most = Infinity): Cell[][] => {
  const records: Cell[][] = []
  for (let at = from; at < text.length && records.length < most;) {
    const { cells, next } = csvRecord(text, at, delimiter)
    records.push(withoutEmptyEnd(cells))
    at = next
  }
  return records
}

/** @returns the separator that most of the first records have, and most often: commas stand in texts as well */
const separatorOf = (text: string, from: number): string => {
  const scores = delimiters.map((delimiter) => {
    const counts = recordsOf(text, from, delimiter, sample).map((cells) => cells.length)
    return { delimiter, records: counts.filter((count) => count > 1).length, first: Math.max(...counts.slice(0, 2), 0) }
  })
  return scores.reduce((best, one) =>
    one.records > best.records || (one.records === best.records && one.first > best.first) ? one : best).delimiter
}

const id = /^[/[]?\p{L}{1,10}[-_. ]?\d[\w.-]{0,12}[\]/]?$/u
const longest = 60

/** A sentence; "Nr." is a name. */
const sentence = /.{12}[.!?]$/
/** Names of columns are short, and no ids. */
const areNames = (names: readonly string[]): boolean => names.length > 1 &&
  names.every((name) => name.length <= longest && !id.test(name) && !/^\d/.test(name) && !sentence.test(name))

/** Characters of a text; what is shorter is an id, a name or a priority. */
const long = 25

const lengthOf = ({ start, end }: Cell): number => end - start

/** A column of texts, by its name. */
const ofTexts = /\b(?:description|text|requirements?|statement|details?|acceptance|criteri|rationale|notes?|comments?|beschreibung|anforderung|bemerkung|exigence|descripci[óo]n|requisito|historia|story)/i

/** @returns the columns whose values are texts */
const textColumns = (header: readonly string[], exact: readonly (readonly Cell[])[]): number[] => {
  const columns = header.map((_, at) => at)
  if (exact.length === 0) return columns.filter((at) => ofTexts.test(header[at] ?? ''))
  return columns.filter((at) =>
    exact.reduce((sum, cells) => sum + lengthOf(cells[at] ?? { start: 0, end: 0 }), 0) / exact.length >= long)
}

const joinAt = (cells: readonly Cell[], at: number, extra: number): Cell[] => {
  const [first, last] = [cells[at], cells[at + extra]]
  return first && last
    ? [...cells.slice(0, at), { start: first.start, end: last.end }, ...cells.slice(at + extra + 1)]
    : [...cells]
}

/** Puts the values of records with unquoted commas together again. */
class Joiner {
  readonly #texts: readonly number[]
  readonly #isSpaced: boolean

  constructor (private readonly text: string, private readonly header: readonly string[], names: readonly Cell[],
    records: readonly Cell[][]) {
    this.#texts = textColumns(header, records.filter((cells) => cells.length === header.length))
    this.#isSpaced = names.some((cell, at) => at > 0 && this.#hasSpace(cell))
  }

  #hasSpace ({ start }: Cell): boolean { return this.text.charAt(start - 1) === ' ' }

  /** "a, b" is text where columns stand without a space; else only one column can have the commas. */
  join (cells: readonly Cell[]): Cell[] | undefined {
    const extra = cells.length - this.header.length
    const spaced = cells.flatMap((cell, at) => at > 0 && this.#hasSpace(cell) ? [at] : [])
    if (!this.#isSpaced && spaced.length === extra) {
      return spaced.reduceRight((joined: Cell[], at) => joinAt(joined, at - 1, 1), [...cells])
    }
    const [only, ...others] = this.#texts
    if (only === undefined || others.length > 0) return undefined
    const joined = joinAt(cells, only, extra)
    return joined.every((cell, at) => at === only || lengthOf(cell) <= longest) ? joined : undefined
  }
}

/** Without names, ids and the longest texts say what they are. */
const inferHeader = (text: string, all: readonly Cell[][]): string[] => {
  const columns = all.reduce((most, cells) => Math.max(most, cells.length), 0)
  const records = all.slice(0, 10 * sample)
  const wordsOf = (cell: Cell | undefined): string => cell ? text.slice(cell.start, cell.end) : ''
  const share = (at: number, fits: (words: string) => boolean): number =>
    records.filter((cells) => fits(wordsOf(cells[at]))).length / records.length
  const lengths = Array.from({ length: columns }, (_, at) =>
    records.reduce((sum, cells) => sum + wordsOf(cells[at]).length, 0) / records.length)
  const longestAt = lengths.indexOf(Math.max(...lengths))
  return lengths.map((length, at) =>
    at === longestAt && length >= long ? 'Requirement' : share(at, (words) => id.test(words)) > 0.8 ? 'ID' : '')
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** Records without a blank line that names of other columns follow. */
const partsOf = (text: string, records: readonly Cell[][]): Cell[][][] => {
  const parts: Cell[][][] = [[]]
  records.forEach((cells, at) => {
    const columns = parts.at(-1)?.at(-1)?.length ?? 0
    const isNew = at > 0 && records[at - 1]?.length === 0 && columns > 1 && cells.length !== columns &&
      areNames(headerOf(text, cells))
    if (isNew) parts.push([])
    if (cells.length > 0) parts.at(-1)?.push(cells)
  })
  return parts
}

const tableOf = (text: string, part: readonly Cell[][]): { table: CsvTable, unsure: UnsureRecord | undefined } => {
  const from = Math.max(0, part.findIndex((cells) => cells.length > 1))
  const titles = part.slice(0, from).flat()
  const [first = [], ...rest] = part.slice(from)
  const words = headerOf(text, first)
  if (!areNames(words)) {
    const records = part.slice(from)
    return { table: { titles, names: undefined, header: inferHeader(text, records), records }, unsure: undefined }
  }
  const joiner = new Joiner(text, words, first, rest)
  let unsure: UnsureRecord | undefined
  const records = rest.map((cells) => {
    if (cells.length <= words.length) return cells
    const joined = joiner.join(cells)
    unsure ??= joined
      ? undefined
      : { line: lineOf(text, cells[0]?.start ?? 0), values: cells.length, columns: words.length }
    return joined ?? cells
  })
  return { table: { titles, names: first, header: words, records }, unsure }
}

/** @returns the tables of comma-separated values (RFC 4180; also with ; or tabs), and the first record in doubt */
export const readCsv = (text: string): Csv => {
  const named = separatorLine.exec(text)
  const from = named?.[0].length ?? 0
  const records = recordsOf(text, from, named?.[1] ?? separatorOf(text, from))
  const read = partsOf(text, records).filter((part) => part.length > 0).map((part) => tableOf(text, part))
  return { tables: read.map(({ table }) => table), unsure: read.find(({ unsure }) => unsure)?.unsure }
}
