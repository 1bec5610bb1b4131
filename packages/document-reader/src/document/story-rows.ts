import type { Cell } from './block.js'
import { plain } from './plain.js'
import type { JoinedCells } from './target-rows.js'

/** The columns of a table of stories: "As a", "I want", "So that", and what begins a cell that has it already. */
const parts = [
  { column: /^(?:as an?\b|als(?: (?:eine?r?))?$|en tant qu|como$)/i, begins: /^(?:as|als|en tant|como)\b/i },
  {
    column: /^(?:i (?:want|need)\b|(?:ich )?(?:möchte|will|brauche)(?: ich)?$|je (?:veux|souhaite|voudrais)|(?:yo )?(?:quiero|necesito|deseo))/i,
    begins: /^(?:i|möchte|will|ich|je|quiero|necesito|deseo)\b/i
  },
  { column: /^(?:so that\b|damit|um\b|sodass|afin|pour\b|para)/i, begins: /^(?:so|damit|um|sodass|afin|pour|para)\b/i }
] as const

/** The words of a column in front of its cell: "En tant qu'" before a vowel, "möchte ich" behind the role. */
const leadOf = (part: number, title: string, words: string): string => {
  const name = title.replace(/(?<![\s.…:,])[\s.…:,]+$/u, '').toLowerCase()
  if (part === 0) {
    if (/^en tant/.test(name)) return /^[aeiouyhéèê]/i.test(words) ? "En tant qu'" : 'En tant que '
    if (name.startsWith('als') || name.startsWith('como')) return `${name.charAt(0).toUpperCase()}${name.slice(1)} `
    return /^an? /i.test(words) ? 'As ' : 'As a '
  }
  if (part === 2) return `${name.startsWith('so') && !name.startsWith('sodass') ? 'so that' : name} `
  if (!/^i /.test(name)) return `${name.replace(/^ich (\p{L}+)$|^(möchte|will|brauche)$/u, '$1$2 ich')} `
  // "I want to" as a column goes on in its cells.
  return /^i \w+ to\b/.test(name) && !/^to /i.test(words) ? 'I want to ' : 'I want '
}

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
    const { begins } = parts[part] ?? parts[0]
    return begins.test(words) ? words : leadOf(part, header?.[at[part] ?? -1] ?? '', words) + words
  })
  return {
    text: `${phrases.slice(0, 2).join(phrases[0]?.startsWith('Als') ? ' ' : ', ')}${phrases[2] === undefined ? '' : `${/^(?:damit|sodass|um)/i.test(phrases[2]) ? ',' : ''} ${phrases[2]}`}.`,
    start: Math.min(...found.map(({ cell }) => cell.start)),
    end: Math.max(...found.map(({ cell }) => cell.end)),
    cells: new Set(found.map(({ index }) => index))
  }
}
