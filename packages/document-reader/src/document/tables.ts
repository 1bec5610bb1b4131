import type { Cell } from './block.js'
import { consistsOf } from './lines.js'
import { plain } from './plain.js'

const trimmed = (text: string, start: number, end: number): Cell => {
  while (start < end && /\s/.test(text.charAt(start))) start++
  while (end > start && /\s/.test(text.charAt(end - 1))) end--
  return { start, end }
}

/** @returns the cells of a row between bars; the outer bars may be missing */
export const barCells = (text: string, from: number, to: number): Cell[] => {
  const line = trimmed(text, from, to)
  const cells: Cell[] = []
  let start = line.start
  for (let at = line.start; at < line.end; at++) {
    if (text.charAt(at) === '\\') at++
    else if (text.charAt(at) === '|') {
      if (at > line.start) cells.push(trimmed(text, start, at))
      start = at + 1
    }
  }
  if (start < line.end) cells.push(trimmed(text, start, line.end))
  return cells
}

/** @returns whether a line separates a table's header from its rows, such as |---|:-:| */
export const isSeparator = (line: string): boolean =>
  line.includes('-') && line.includes('|') && consistsOf(line, '|:- \t')

export const headerOf = (text: string, cells: readonly Cell[]): string[] =>
  cells.map(({ start, end }) => plain(text.slice(start, end)).slice(0, 200))

/** The separator that occurs most in a line of values. */
export const delimiterOf = (line: string): string => {
  const count = (mark: string): number => line.split(mark).length
  return [',', ';', '\t'].reduce((best, mark) => count(mark) > count(best) ? mark : best)
}

/** Reads one quoted or plain value. @returns its range, and where the next one begins */
const readValue = (text: string, begin: number, delimiter: string): { cell: Cell, next: number, isLast: boolean } => {
  // A space may stand before the quotation mark.
  const mark = /^ {1,4}(?=")/.exec(text.slice(begin, begin + 5))?.[0].length ?? 0
  const from = begin + mark
  const quoted = text.charAt(from) === '"'
  let at = quoted ? from + 1 : from
  for (; at < text.length; at++) {
    const mark = text.charAt(at)
    if (quoted && mark === '"' && text.charAt(at + 1) === '"') at++
    else if (quoted ? mark === '"' : mark === delimiter || mark === '\n') break
  }
  const end = Math.min(at, text.length)
  if (quoted) while (at < text.length && text.charAt(at) !== delimiter && text.charAt(at) !== '\n') at++
  // What stands behind the closing mark, against the rules, is a part of the value too.
  const isClosed = quoted && text.slice(end + 1, at).trim() === ''
  const cell = isClosed ? trimmed(text, from + 1, end) : trimmed(text, from, Math.min(at, text.length))
  return { cell, next: at + 1, isLast: at >= text.length || text.charAt(at) === '\n' }
}

/** @returns the cells of the record that begins there, and where the next one begins */
export const csvRecord = (text: string, from: number, delimiter: string): { cells: Cell[], next: number } => {
  const cells: Cell[] = []
  for (let at = from; ;) {
    const { cell, next, isLast } = readValue(text, at, delimiter)
    cells.push(cell)
    at = next
    if (isLast || at >= text.length) return { cells, next: at }
  }
}
