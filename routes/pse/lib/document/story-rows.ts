import type { Cell } from './block.js'
import { plain } from './plain.js'
import type { JoinedCells } from './target-rows.js'

/** The columns of a table of stories: "As a", "I want", "So that", and what begins a cell that lacks it. */
const parts = [
  { column: /^as an?\b/i, begins: /^as\b/i, word: 'As a' },
  { column: /^i (?:want|need)\b/i, begins: /^i\b/i, word: 'I want' },
  { column: /^so that\b/i, begins: /^so\b/i, word: 'so that' }
] as const

/** @returns the story that a row has in several cells; undefined = its table is not one of stories */
export const storyRow = (text: string, cells: readonly Cell[], header: readonly string[] | undefined):
JoinedCells | undefined => {
  const at = parts.map(({ column }) => header?.findIndex((name) => column.test(name)) ?? -1)
  const found = at.flatMap((index, part) => {
    const cell = cells[index]
    const words = cell ? plain(text.slice(cell.start, cell.end)).replace(/[.,;]$/, '') : ''
    return cell && words !== '' ? [{ index, cell, words, part }] : []
  })
  if (found[0]?.part !== 0 || found[1]?.part !== 1) return undefined
  const phrases = found.map(({ words, part }) => {
    const { begins, word } = parts[part] ?? parts[0]
    // "I want to" as a column goes on in its cells.
    const to = part === 1 && /^i \w+ to\b/i.test(header?.[at[1] ?? -1] ?? '') && !/^to /i.test(words) ? ' to' : ''
    return begins.test(words) ? words : `${part === 0 ? word.replace(/ a$/, /^an? /i.test(words) ? '' : ' a') : word}${to} ${words}`
  })
  return {
    text: `${phrases.slice(0, 2).join(', ')}${phrases[2] === undefined ? '' : ` ${phrases[2]}`}.`,
    start: Math.min(...found.map(({ cell }) => cell.start)),
    end: Math.max(...found.map(({ cell }) => cell.end)),
    cells: new Set(found.map(({ index }) => index))
  }
}
