import { isProse, blocksOf } from './read-blocks.js'
import type { Block, Cell } from './block.js'
import { foreignId } from './marks.js'
import { modal, plainHeading } from './headings.js'
import { plain } from './plain.js'
import { headersOf, type Table } from './columns.js'
import { storyRow } from './story-rows.js'
import { crossRow } from './cross-rows.js'
import { targetRow, testRow } from './target-rows.js'

/** A sentence of a block, with its plain text and its offsets. */
export interface Sentence {
  /** Without the source's own id. */
  text: string
  start: number
  end: number
  headings: string[]
  block: Block
  /** The id that the source gives it, such as REQ-12. */
  sourceId?: string
  /** All of it is struck out: ~~so~~. */
  isStruck?: true
  /** It is nothing but a link to a section, as in a table of contents. */
  isLink?: true
  /** What its table says of it. */
  cell?: CellNote
}

export interface CellNote {
  /**
   * text = the column of the requirements; accepted = what the row is accepted by; other = another column of a table of
   * requirements or of another one.
   */
  role: 'text' | 'accepted' | 'other'
  /** What stands before each of the column's cells, such as "The system shall". */
  stem: string
  /** The column's header. */
  column: string
  /** The texts of the row's other cells: its state, type and priority. */
  type: string
  state: string
  priority: string
  /** The row's notes, beside the text of its requirement. */
  notes: string
  /** The text of the row's first cell. */
  first: string
  isTable: boolean
  /** The cell stands in the table's first row, which has no header above it. */
  isHeader: boolean
}

const abbreviations = new Set(['e.g', 'i.e', 'vs', 'approx', 'no', 'nr', 'fig', 'sec', 'min', 'max', 'mr', 'mrs',
  'ms', 'dr', 'st', 'inc', 'ltd', 'cf', 'resp', 'z.b', 'bzw', 'ca', 'p', 'pp', 'art', 'a.m', 'p.m', 'u.a', 'd.h', 'ggf',
  'vgl', 'abs', 'prof', 'incl', 'excl', 'par', 'chap', 'ex', 'n°', 'sr', 'sra', 'ud', 'hr', 'fr', 'hrs', 'mins', 'secs'])

/** Words that no person is called: what they follow has ended. */
const startsSentence = new Set(('the a an this that these those it its he she we you they i there here in on at if when who ' +
  'what why how and but so for as to no not all der die das ein eine es er sie wir ihr ich dies diese in im am auf wenn ' +
  'und aber so le la les un une il elle nous vous ce el los las un una es en si').split(' '))

const months = new Set(['en', 'de', 'fr', 'es'].flatMap((locale) => Array.from({ length: 12 }, (_, month) =>
  new Intl.DateTimeFormat(locale, { month: 'long' }).format(new Date(2000, month, 1)).toLowerCase())))

/** "No. 5", but "Can I export it? No. It stays." */
const isBeforeNumber = (text: string, stop: number): boolean => /^\.?\s*[\d(§#ivxIVX]/.test(text.slice(stop, stop + 4))

/** @returns whether the full stop ends an abbreviation, not a sentence */
const isAbbreviation = (text: string, stop: number, from: number, to: number): boolean => {
  let start = stop
  while (start > from && /[\p{L}.]/u.test(text.charAt(start - 1)) && stop - start < 12) start--
  const word = text.slice(start, stop).toLowerCase()
  // "2 s. No", "0.5 pp. Pages": a unit ends its sentence.
  if (/\d ?$/.test(text.slice(Math.max(from, start - 2), start)) && /^\.\s+\p{Lu}/u.test(text.slice(stop, stop + 4))) {
    return false
  }
  if (word === 'no' && !isBeforeNumber(text, stop)) return false
  if (abbreviations.has(word)) return true
  const [following = ''] = /^\s*\p{L}[\p{L}'’]*/u.exec(text.slice(stop + 1, Math.min(to, stop + 24))) ?? []
  // "A. Berg", but "plan B. It works."
  if (/^\p{L}$/u.test(word)) return !startsSentence.has(following.trim().toLowerCase())
  // "Am 3. März"
  if (/(?<!\d)\d{1,2}$/.test(text.slice(Math.max(from, start - 3), start)) && months.has(following.trim().toLowerCase())) return true
  // "etc. and", "5 sec. of": what goes on in small letters after a short word.
  let next = stop + 1
  while (next < to && /\s/.test(text.charAt(next))) next++
  if (next >= to) return false
  // "(M1F, M2F, etc.) must": the brackets stand within a sentence.
  const isInside = text.charAt(stop + 1) === ')' && word.length > 0 && word.length <= 4
  if (isInside) while (next < to && /[)\s]/.test(text.charAt(next))) next++
  return stop - start <= 4 && /\p{Ll}/u.test(text.charAt(next))
}

const closers = new Set(['"', "'", '”', '’', ')', ']', '*', '_', '»'])

const endsAt = (text: string, at: number, from: number, to: number): number | undefined => {
  const mark = text.charAt(at)
  if (mark !== '.' && mark !== '!' && mark !== '?' && mark !== '…') return undefined
  let end = at + 1
  while (end < to && (closers.has(text.charAt(end)) || text.charAt(end) === mark)) end++
  if (end < to && !/\s/.test(text.charAt(end))) return undefined
  // A "Forgot password?" link: what was quoted stands within a sentence.
  if (mark !== '.' && end > at + 1 && /^\s+\p{Ll}/u.test(text.slice(end, Math.min(end + 8, to)))) return undefined
  // "1. Doors", "D1. Doors": a number that counts.
  if (mark === '.' && /^(?:[A-Z]{1,3})?\d{1,3}$/.test(text.slice(from, at).trim())) return undefined
  return mark === '.' && end < to && isAbbreviation(text, at, from, to) ? undefined : end
}

const trim = (text: string, start: number, end: number): [number, number] => {
  while (start < end && /\s/.test(text.charAt(start))) start++
  while (end > start && /\s/.test(text.charAt(end - 1))) end--
  return [start, end]
}

/** @returns the ranges of the sentences between two offsets, in linear time */
export const splitRange = (text: string, from: number, to: number): [number, number][] => {
  const ranges: [number, number][] = []
  let start = from
  for (let at = from; at < to; at++) {
    const end = endsAt(text, at, start, to)
    if (end === undefined) continue
    ranges.push(trim(text, start, end))
    start = end
    at = end - 1
  }
  ranges.push(trim(text, start, to))
  return ranges.filter(([first, last]) => last > first)
}

/** What a line that goes on in the next one may end with. */
const dangling = /(?:[,;:(-]|(?:^|\s)(?:the|an?|of|to|in|on|at|by|for|with|from|and|or|that|which|if|when|not|be|der|die|das|den|dem|des|ein|eine[mnrs]?|und|oder|von|zu|mit|für|nicht|le|la|les|des?|du|une?|et|ou|à|pas|el|los|las|un|una|y|o|con|no|que|must|shall|should|may|can|will))$/iu

/** How a story in the first person begins. */
const story = /^(?:as [^.]{2,80}\b(?:i|we)\b|en tant qu(?:e |['’])[^.]{2,80}\bj[e'’]|als [^.]{2,80}\bich\b|como \p{L}{3,30},? (?:quiero|necesito|deseo|quisiera|puedo|debo|me gustaría)\b)/iu

/** @returns the lines of a range where each demands something by itself: a list without marks and full stops */
const splitLines = (text: string, [from, to]: [number, number]): [number, number][] => {
  const lines: [number, number][] = []
  for (let start = from; start < to;) {
    const next = text.indexOf('\n', start)
    const end = next === -1 || next > to ? to : next
    const line = trim(text, start, end)
    const words = text.slice(...line)
    if (!/^[\p{Lu}\d]/u.test(words) || !(modal.test(words) || story.test(words)) || (end < to && dangling.test(words))) return [[from, to]]
    lines.push(line)
    start = end + 1
  }
  return lines
}

/** @returns the text between two offsets without what the block skips */
const without = (text: string, start: number, end: number, skips: readonly Cell[] | undefined): string => {
  if (!skips) return text.slice(start, end)
  let kept = ''
  let from = start
  for (const skip of skips) {
    if (skip.end <= from || skip.start >= end) continue
    kept += text.slice(from, Math.max(from, skip.start))
    from = Math.max(from, skip.end)
  }
  return kept + text.slice(from, end)
}

const onlyLink = /^\[[^\]\n]{1,300}\]\(#[^)\s]{0,300}\)$/

/** A sentence of a quotation may begin with the mark of its line. */
const withoutQuoteMarks = (text: string, kind: Block['kind'], from: number, end: number): number => {
  let start = from
  if (kind === 'quote' || kind === 'older') while (start < end && /[>\s]/.test(text.charAt(start))) start++
  return start
}

/** "✅ Export as PDF": the mark says how far it is. */
const ticked = /^[✅☑✔✓]\ufe0f?\s+/u

/** "**1)** The system must …", "2)the system must …" */
const counted = /^\(?\d{1,3}\) ?(?=\p{L})/u

/** From both ends: an expression would look at each run of marks from each of its places. */
const withoutTildes = (text: string): string => {
  let [start, end] = [0, text.length]
  while (start < end && text[start] === '~') start++
  while (end > start && text[end - 1] === '~') end--
  return text.slice(start, end)
}

/** "~~so~~" and "~so~", but not "about ~5 and ~6" or "~/bin". */
const struck = /(?<![\p{L}\p{N}~])(~{1,2})(?=[^\s~])[^~]{1,400}(?<=[^\s~])\1(?![\p{L}\p{N}~]) ?/gu
const allStruck = /^(~{1,2})(?=[^\s~])[^~]+(?<=[^\s~])\1$/

const ofRange = (text: string, block: Block, [from, end]: [number, number]): Sentence => {
  const start = withoutQuoteMarks(text, block.kind, from, end)
  const written = without(text, start, end, block.skips)
  const full = block.row?.isDoubled ? written.replaceAll('""', '"') : written
  const isStruck = (full.startsWith('~~') && full.endsWith('~~')) || allStruck.test(full)
  // "Pay by card or ~~PayPal~~ Google Pay" demands nothing of what is struck out.
  const passage = isStruck ? withoutTildes(full) : full.includes('~') ? full.replace(struck, '') : full
  const words = block.kind === 'heading' ? plainHeading(plain(passage).replace(/^#{1,6} +/, '')) : plain(passage)
  const found = foreignId(words)
  const rest = (found ? words.slice(found.length) : words).replace(ticked, '').replace(counted, '')
  const isLink = onlyLink.test(passage)
  const base = {
    text: rest, start, end, headings: block.headings, block, ...(isStruck && { isStruck }), ...(isLink && { isLink })
  }
  return found ? { ...base, sourceId: found.id } : base
}

/** Before an item of a list in a cell. */
const mark = /(?:^|\n)[ \t]*(?:[-*•‣]|\d{1,2}[.)])[ \t]+/g
/** Where a list has become one line, as in a page's table. */
const inlineMark = /(?:^|[ \n])[-*•‣][ \t]+/g

/** @returns a cell's ranges: what stands before the first mark of a list in it, and each item behind its mark */
const inItems = (text: string, { start, end }: Cell): [number, number][] => {
  const words = text.slice(start, end)
  const marks = [...words.matchAll(/^[-*•‣] /.test(words) ? inlineMark : mark)]
  if (marks.length < 2) return [[start + (marks[0]?.index === 0 ? marks[0][0].length : 0), end]]
  const starts = [start, ...marks.map(({ 0: found, index }) => start + index + found.length)]
  const ends = [...marks.map(({ index }) => start + index), end]
  return starts.map((from, at) => [from, ends[at] ?? end])
}

const inCells = (text: string, block: Block, { cells, header }: NonNullable<Block['row']>, table: Table):
Sentence[] => {
  const story = storyRow(text, cells, header)
  const own = cells.findIndex((_, at) => table.note(text, cells, header, at).role === 'text')
  const crossed = story ? undefined : testRow(text, cells, header) ?? crossRow(text, cells, header, table.marks)
  const measured = crossed ?? (own === -1 || story ? undefined : targetRow(text, cells, header, own))
  const id = table.idOf(text, cells)
  const named = id === undefined ? {} : { sourceId: id }
  return cells.flatMap((cell, at) => {
    if (story?.cells.has(at)) {
      const { text: words, start, end } = story
      const of = { headings: block.headings, block, ...named, cell: table.note(text, cells, header, at) }
      return cell.start === start ? [{ text: words, start, end, ...of }] : []
    }
    if (measured?.cells.has(at)) {
      const { text: words, start, end } = measured
      const note = { ...table.note(text, cells, header, at), ...(crossed && { role: 'text' as const }) }
      const of = { headings: block.headings, block, ...named, cell: note }
      return cell.start === start ? [{ text: words, start, end, ...of }] : []
    }
    return inItems(text, cell).flatMap(([from, to]) => splitRange(text, from, to)).map((range): Sentence => {
      const note = table.note(text, cells, header, at, story !== undefined)
      return { ...ofRange(text, block, range), cell: note, ...(note.role === 'text' && named) }
    })
  })
}

const ofLines = (text: string, block: Block): Sentence[] => {
  const ranges: [number, number][] = []
  for (let start = block.start; start < block.end;) {
    const next = text.indexOf('\n', start)
    const end = next === -1 || next > block.end ? block.end : next
    const range = trim(text, start, end)
    if (range[1] > range[0]) ranges.push(range)
    start = end + 1
  }
  return ranges.map((range) => ({
    text: text.slice(...range), start: range[0], end: range[1], headings: block.headings, block
  }))
}

const ofBlock = (text: string, block: Block, tables: (block: Block) => Table): Sentence[] => {
  if (block.row) return inCells(text, block, block.row, tables(block))
  if (block.kind === 'code') return ofLines(text, block)
  return splitRange(text, block.start, block.end).flatMap((range) => splitLines(text, range))
    .map((range) => ofRange(text, block, range))
}

/** @returns every sentence of the text's blocks, in order, in linear time */
export const sentencesOf = (text: string, mediaType: string): Sentence[] => {
  if (!isProse(mediaType)) return []
  const tables = headersOf(text)
  return blocksOf(text, mediaType).flatMap((block) => ofBlock(text, block, tables))
}
