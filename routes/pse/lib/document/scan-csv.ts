import { BlockList, type Block, type Cell } from './block.js'
import { namesColumns } from './columns.js'
import type { Line } from './lines.js'
import { csvRecord, csvRecords, delimiterOf, headerOf } from './tables.js'

const pushRows = (list: BlockList, text: string, records: readonly Cell[][]): void => {
  const header = records[0] && headerOf(text, records[0])
  records.forEach((cells, at) => {
    const [first, last] = [cells[0], cells.at(-1)]
    const above = at === 0 ? undefined : header
    if (first && last) list.push('row', first.start, last.end, 0, { cells, header: above, isDoubled: true })
  })
}

/** @returns a row for each record of comma-separated values, below the header of the first one */
export const scanCsv = (text: string): Block[] => {
  const list = new BlockList()
  pushRows(list, text, csvRecords(text))
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
  pushRows(list, text, records)
  list.close()
  return last - 1
}
