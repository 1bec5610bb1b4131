import { BlockList, type Block, type Cell } from './block.js'
import { namesColumns } from './columns.js'
import type { Line } from './lines.js'
import { readCsv } from './csv-tables.js'
import { csvRecord, delimiterOf, headerOf } from './tables.js'

const pushRow = (list: BlockList, cells: Cell[], header: readonly string[] | undefined): void => {
  const [first, last] = [cells[0], cells.at(-1)]
  if (first && last) list.push('row', first.start, last.end, 0, { cells, header, isDoubled: true })
}

/** @returns a row for each record of comma-separated values, below the header of its table */
export const scanCsv = (text: string): Block[] => {
  const list = new BlockList()
  for (const { titles, names, header, records } of readCsv(text).tables) {
    for (const { start, end } of titles) {
      list.head(start, end, { level: 1, title: text.slice(start, Math.min(end, start + 200)) })
    }
    if (names) pushRow(list, names, undefined)
    for (const cells of records) pushRow(list, cells, header)
  }
  return list.blocks
}

/** Characters of a column's name. */
const maxName = 40

/** A line of short names that the line below continues with as many values; commas also stand in prose. */
const isHeader = (text: string, lines: readonly Line[], at: number, delimiter: string): boolean => {
  const { start = 0, text: line = '' } = lines[at] ?? {}
  if (/[.:!?]\s*$/.test(line) || lines[at + 1]?.isBlank !== false) return false
  const { cells, next } = csvRecord(text, start, delimiter)
  const names = headerOf(text, cells)
  const isNamed = names.every((name) =>
    name.length <= maxName && /^[\p{L}#]/u.test(name) && !/^(?:and|or|und|et|y) /.test(name))
  return names.length > 1 && isNamed && csvRecord(text, next, delimiter).cells.length === cells.length &&
    namesColumns(names, delimiter === '\t')
}

/**
 * Reads comma-separated values that were pasted among other text; a blank line ends them.
 * @returns the number of the last line that they take; undefined where none begin
 */
export const readPastedCsv = (list: BlockList, text: string, lines: readonly Line[], at: number):
number | undefined => {
  const line = lines[at]
  const delimiter = line && delimiterOf(line.text)
  if (delimiter === undefined || !line?.text.includes(delimiter)) return undefined
  if (!isHeader(text, lines, at, delimiter)) return undefined
  const records: Cell[][] = []
  let [last, from] = [at, line.start]
  while (from < text.length && lines[last]?.isBlank === false) {
    const { cells, next } = csvRecord(text, from, delimiter)
    if (cells.length < 2) break
    records.push(cells)
    from = next
    while (last < lines.length && (lines[last]?.start ?? Infinity) < next) last++
  }
  const header = records[0] && headerOf(text, records[0])
  records.forEach((cells, index) => pushRow(list, cells, index === 0 ? undefined : header))
  list.close()
  return last - 1
}
