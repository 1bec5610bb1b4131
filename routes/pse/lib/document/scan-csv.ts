import { BlockList, type Block } from './block.js'
import { csvRecords, headerOf } from './tables.js'

/** @returns a row for each record of comma-separated values, below the header of the first one */
export const scanCsv = (text: string): Block[] => {
  const list = new BlockList()
  const records = csvRecords(text)
  const header = records[0] && headerOf(text, records[0])
  records.forEach((cells, at) => {
    const [first, last] = [cells[0], cells.at(-1)]
    const above = at === 0 ? undefined : header
    if (first && last) list.push('row', first.start, last.end, 0, { cells, header: above, isDoubled: true })
  })
  return list.blocks
}
