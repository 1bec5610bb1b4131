import type { Line, Run } from './pdf-lines.js'

/** A column, and how many bands have something in it. */
interface Span { x: number, right: number, hits: number }

/** What stands on one height of the page, from left to right. */
interface Band { y: number, size: number, runs: Run[] }

/** Cells of a row by their columns, each with its runs in the order of the page. */
interface Row { cells: Run[][], top: number, bottom: number }

/** A table's lines, and where they begin among those of the page. */
interface Table { from: number, count: number, spans: Span[], rows: string[][] }

/** Distances in sizes of the type. */
const nearest = 0.6
const farthest = 3.5
const tight = 1.35
/** Of one table on one page. */
const mostBands = 300

const bandsOf = (lines: readonly Line[]): Band[] => {
  const bands: Band[] = []
  for (const run of lines.flatMap(({ runs }) => runs).sort((one, other) => other.y - one.y)) {
    const band = bands.at(-1)
    if (band && band.y - run.y <= Math.max(2, run.size * 0.35)) band.runs.push(run)
    else bands.push({ y: run.y, size: run.size, runs: [run] })
  }
  for (const { runs } of bands) runs.sort((one, other) => one.x - other.x)
  return bands
}

/** Bands that make a column: what only one has may be a wide space in a line. */
const enough = 2

/**
 * @returns the columns with those of a band: what overlaps, or nearly does, is one; undefined where it runs over the
 * gap between two that are sure
 */
const merge = (spans: readonly Span[], { runs, size }: Band): Span[] | undefined => {
  const merged: (Span & { isHit: boolean })[] = []
  const own = runs.map(({ x, right }) => ({ x, right, hits: 0, isHit: true }))
  const all = [...spans.map((span) => ({ ...span, isHit: false })), ...own]
  for (const span of all.sort((one, other) => one.x - other.x)) {
    const last = merged.at(-1)
    if (!last || span.x - last.right >= size * nearest) merged.push(span)
    else {
      if (last.hits >= enough && span.hits >= enough) return undefined
      last.right = Math.max(last.right, span.right)
      last.hits = Math.max(last.hits, span.hits)
      last.isHit ||= span.isHit
    }
  }
  if (merged.length < 2) return undefined
  return merged.map(({ x, right, hits, isHit }) => ({ x, right, hits: hits + (isHit ? 1 : 0) }))
}

const columnOf = ({ x, right }: Run, spans: readonly Span[]): number =>
  spans.findIndex((span) => x < span.right && right > span.x)

const isAlone = ({ runs }: Band, [first]: readonly Span[]): boolean =>
  runs.length === 1 && first !== undefined && (runs[0]?.x ?? 0) <= first.right

/** Lines in the first column alone that end a table are more often the text below it. */
const trimmed = (bands: readonly Band[], spans: readonly Span[]): Band[] => {
  const kept = [...bands]
  for (let last = kept.at(-1); last && kept.length > 1 && isAlone(last, spans); last = kept.at(-1)) {
    const gap = (kept.at(-2)?.y ?? 0) - last.y
    if (gap <= last.size * tight && /^[\p{Ll}(]/u.test(last.runs[0]?.text ?? '')) break
    kept.pop()
  }
  return kept
}

/** @returns the bands below one with several runs through which the same gaps run, and their columns */
const growFrom = (bands: readonly Band[], from: number): { bands: Band[], spans: Span[], lead: number } => {
  let spans: Span[] = []
  const found: Band[] = []
  for (const band of bands.slice(from, from + mostBands)) {
    const above = found.at(-1)
    if (above && above.y - band.y > farthest * Math.max(above.size, band.size)) break
    // A heading between two tables.
    if (above && band.runs.length === 1 && band.size > above.size + 0.9) break
    const next = merge(spans, band)
    if (!next) break
    spans = next
    found.push(band)
  }
  // "1.2    Criteria" above a table is one heading.
  const lead = found.findIndex(({ runs }) => runs.some((run) => columnOf(run, spans) > 0))
  return { bands: trimmed(found.slice(lead), spans), spans, lead: Math.max(0, lead) }
}

const rowOf = (run: Run, columns: number): Row =>
  ({ cells: Array.from({ length: columns }, () => []), top: run.y, bottom: run.y })

/** Programs write a table cell by cell: a row begins where the page goes back to a column on the left. */
const rowsOf = (runs: readonly Run[], spans: readonly Span[]): Row[] => {
  const rows: Row[] = []
  let before = -1
  for (const run of runs) {
    const column = columnOf(run, spans)
    const open = rows.at(-1)
    const isSame = column === before && open !== undefined &&
      (column > 0 || open.bottom - run.y <= run.size * 1.6)
    const row = open && (column > before || isSame) ? open : rowOf(run, spans.length)
    if (row !== open) rows.push(row)
    row.cells[column]?.push(run)
    row.top = Math.max(row.top, run.y)
    row.bottom = Math.min(row.bottom, run.y)
    before = column
  }
  return rows
}

/** Where a program writes line by line, the lines of a row stand nearer to each other than rows do. */
const joinLines = (rows: readonly Row[], size: number): Row[] => {
  const gaps = rows.slice(1).map(({ top }, at) => (rows[at]?.bottom ?? top) - top)
  const least = Math.min(...gaps)
  const isDense = least <= size * tight && gaps.filter((gap) => gap > least * 1.25).length * 4 >= gaps.length
  const joined: Row[] = []
  rows.forEach((row, at) => {
    const above = joined.at(-1)
    const gap = gaps[at - 1] ?? Infinity
    const goesOn = row.cells[0]?.length === 0 || (isDense && gap <= least * 1.15)
    if (!above || !goesOn || at === 1) return joined.push(row)
    above.cells = above.cells.map((cell, column) => [...cell, ...row.cells[column] ?? []])
    above.bottom = row.bottom
    return undefined
  })
  return joined
}

/** "Funktio-" and "nen" are one word, "Ein-" and "und" are two. */
const textOf = (cell: readonly Run[]): string => cell.reduce((text, run) => {
  const next = run.text.trim()
  if (text === '') return next
  const isDivided = /\p{L}[-\u2010\u2011\u00ad]$/u.test(text) && /^\p{Ll}/u.test(next) &&
    !/^(?:und|oder|bzw|and|or|et|ou|y|o)(?!\p{L})/u.test(next)
  return isDivided ? text.slice(0, -1) + next : `${text} ${next}`
}, '')

/** What marks the items of a list, or numbers headings, is no column. */
const mark = /^(?:[•▪●■➢➤►❖◦○□✓✔‣⁃∙·o–—*-]|[\uE000-\uF8FF]|\(?[0-9a-z]{1,3}[.)]|\(?[ivx]{1,4}[.)]|\d{1,2}(?:\.\d{1,3}){0,4}\.?)$/iu
const isList = (rows: readonly string[][]): boolean => rows.every(([first = '', ...rest]) =>
  (first === '' || mark.test(first)) && rest.length === 1)

/** Titles with their pages. */
const isContents = (rows: readonly string[][]): boolean =>
  rows.every((row) => (row.at(-1) ?? '').split(' ').every((number) => /^(?:\d{1,4}|[ivxl]{1,6})$/i.test(number))) ||
  rows.some((row) => /\.{5}|(?:\. ){4}/.test(row.join(' ')))

/** The text of a page's columns goes on from line to line, as do words with wide spaces. */
const isProse = (rows: readonly string[][]): boolean => rows.length * 0.4 < rows.filter((row, at) => {
  const above = rows[at - 1]
  if (!above) return false
  const goesOn = row.filter((cell, column) => /^\p{Ll}/u.test(cell) && !/[.:;!?]$/.test(above[column] ?? '.')).length
  return goesOn === row.length || /\p{L}-$/u.test(above.at(-1) ?? '')
}).length

const isTable = (rows: readonly string[][]): boolean =>
  rows.filter((row) => row.filter((cell) => cell !== '').length > 1).length > 1 &&
  !isList(rows) && !isContents(rows) && !isProse(rows)

interface Columns { spans: Span[], rows: string[][] }

/** Joins a column that has a name alone with the one beside it that has only values. */
const joinNames = ({ spans, rows }: Columns): Columns => {
  const [header = [], ...body] = rows
  const isName = header.map((name, at) => name !== '' && body.every((row) => row[at] === ''))
  const isNameless = header.map((name, at) => name === '' && body.some((row) => row[at] !== ''))
  const pair = isName.findIndex((own, at) =>
    (own && isNameless[at - 1] === true) ||
    (isNameless[at] === true && isName[at + 1] === true && isNameless[at + 2] !== true))
  const from = pair !== -1 && isName[pair] ? pair - 1 : pair
  if (from === -1) return { spans, rows }
  const join = (row: readonly string[]): string[] =>
    [...row.slice(0, from), `${row[from]} ${row[from + 1]}`.trim(), ...row.slice(from + 2)]
  const joined = { x: spans[from]?.x ?? 0, right: spans[from + 1]?.right ?? 0, hits: enough }
  return joinNames({ spans: [...spans.slice(0, from), joined, ...spans.slice(from + 2)], rows: rows.map(join) })
}

/** Which of a page's lines each of its runs stands on. */
type Owners = ReadonlyMap<Run, number>

/** @returns the table of some bands, where the page's text has it in one piece */
const tableOf = (lines: readonly Line[], owners: Owners, bands: readonly Band[], spans: Span[]): Table | undefined => {
  const inside = bands.flatMap(({ runs }) => runs)
  const numbers = inside.map((run) => owners.get(run) ?? 0)
  const [from, last] = [Math.min(...numbers), Math.max(...numbers)]
  if (last - from > inside.length) return undefined
  const own = lines.slice(from, last + 1).flatMap(({ runs }) => runs)
  if (own.length !== inside.length) return undefined
  const rows = joinLines(rowsOf(own, spans), bands[0]?.size ?? 1).map(({ cells }) => cells.map(textOf))
  const columns = joinNames({ spans, rows })
  return isTable(columns.rows) ? { from, count: last - from + 1, ...columns } : undefined
}

/** A tall cell in the middle of which the others stand begins some lines above them. */
const mostAbove = 4

/** @returns the table that a band with several runs belongs to, with its number of bands from this one on */
const tableAt = (lines: readonly Line[], owners: Owners, bands: readonly Band[], at: number, least: number):
{ table: Table | undefined, next: number } => {
  let next = at + 1
  for (let from = at; from >= Math.max(least, at - mostAbove); from--) {
    if (from < at && bands[from]?.runs.length !== 1) break
    const grown = growFrom(bands, from)
    const end = from + grown.lead + grown.bands.length
    const table = grown.bands.length > 1 ? tableOf(lines, owners, grown.bands, grown.spans) : undefined
    if (table) return { table, next: Math.max(end, at + 1) }
    // Half of what is no table is skipped, so that no line is looked at again and again.
    if (from === at) next = at + Math.max(1, (end - at) >> 1)
  }
  return { table: undefined, next }
}

const tablesOf = (lines: readonly Line[]): Table[] => {
  const bands = bandsOf(lines)
  const owners = new Map(lines.flatMap(({ runs }, at) => runs.map((run) => [run, at] as const)))
  const tables: Table[] = []
  let least = 0
  for (let at = 0; at < bands.length;) {
    const isStart = (bands[at]?.runs.length ?? 0) > 1
    const { table, next } = isStart ? tableAt(lines, owners, bands, at, least) : { table: undefined, next: at + 1 }
    if (table) {
      tables.push(table)
      least = next
    }
    at = next
  }
  return tables.sort((one, other) => one.from - other.from)
}

const id = /^[/[]?\p{Lu}[\p{L}_]{0,12}[-_. ]?\d[\w.-]{0,12}[\]/]?:?(?: |$)/u
const longestName = 60

/** Names of columns are short, are no ids, and do not stand among the values. */
const namesColumns = (first: readonly string[], rest: readonly string[][]): boolean => first.every((cell, at) =>
  cell.length <= longestName && !id.test(cell) &&
  !rest.some((row) => cell !== '' && row[at] === cell && !isSame(row, first)))

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((cell, at) => cell === other[at])

const isAligned = (one: readonly Span[], other: readonly Span[]): boolean => one.length === other.length &&
  one.every(({ x, right }, at) => x < (other[at]?.right ?? 0) && right > (other[at]?.x ?? Infinity))

const written = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

/** What goes on from the table before. */
interface Open { header: readonly string[], spans: readonly Span[], end: number }

/** Writes the tables of a document's pages as rows of Markdown. */
export class TableWriter {
  #open: Open | undefined

  /** @returns the page's lines with a line for each row of its tables */
  write (lines: readonly Line[]): Line[] {
    const written: Line[] = []
    let at = 0
    for (const table of tablesOf(lines)) {
      // One line may stand between: a table's part on the next page goes on below its own heading.
      if (table.from - at > 1) this.#open = undefined
      written.push(...lines.slice(at, table.from), ...this.#rows(table, lines[table.from]))
      at = table.from + table.count
    }
    if (lines.length - at > 1) this.#open = undefined
    return [...written, ...lines.slice(at)]
  }

  #rows ({ rows: [first = [], ...rest], spans }: Table, line: Line | undefined): Line[] {
    const { size = 0, y = 0, x = 0 } = line ?? {}
    const held = this.#open && isAligned(this.#open.spans, spans) ? this.#open.header : undefined
    const isNamed = namesColumns(first, rest)
    const header = held && (isSame(held, first) || !isNamed) ? held : isNamed ? first : first.map(() => '')
    this.#open = { header, spans, end: 0 }
    const body = isSame(header, first) ? rest : [first, ...rest]
    // Without names of columns an id is known by what it stands before.
    if (header.every((cell) => cell === '') && body.some(([cell = '']) => id.test(cell))) {
      const wordsOf = (cells: readonly string[]): string =>
        cells.filter((cell) => cell !== '').join(': ').replace(/^(\p{Lu}\p{L}{0,5}\d{1,4}) /u, '$1: ')
      return body.map((cells) => ({ text: wordsOf(cells), size, y, x, runs: [], row: 'first' }))
    }
    const texts = [written(header), `|${header.map(() => '---|').join('')}`, ...body.map(written)]
    return texts.map((text, at) => ({ text, size, y, x, runs: [], row: at === 0 ? 'first' : 'next' }))
  }
}
