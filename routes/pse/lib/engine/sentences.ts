import { blocksOf, isProse, type Block } from './blocks.js'

/** A sentence of a paragraph or list item, with its plain text and its offsets. */
export interface Sentence {
  text: string
  start: number
  end: number
  headings: string[]
  block: Block
}

const abbreviations = new Set(['e.g', 'i.e', 'etc', 'vs', 'approx', 'no', 'nr', 'fig', 'sec', 'min', 'max', 'mr', 'mrs',
  'ms', 'dr', 'st', 'inc', 'ltd', 'cf', 'resp', 'z.b', 'bzw', 'ca', 'p', 'pp', 'art'])

/** @returns whether the full stop ends an abbreviation, not a sentence */
const isAbbreviation = (text: string, stop: number, from: number): boolean => {
  let start = stop
  while (start > from && /[\p{L}.]/u.test(text.charAt(start - 1)) && stop - start < 12) start--
  const word = text.slice(start, stop).toLowerCase()
  return abbreviations.has(word) || /^\p{L}$/u.test(word)
}

const closers = new Set(['"', "'", '”', '’', ')', ']', '*', '_', '»'])

const endsAt = (text: string, at: number, from: number, to: number): number | undefined => {
  const mark = text.charAt(at)
  if (mark !== '.' && mark !== '!' && mark !== '?' && mark !== '…') return undefined
  let end = at + 1
  while (end < to && (closers.has(text.charAt(end)) || text.charAt(end) === mark)) end++
  if (end < to && !/\s/.test(text.charAt(end))) return undefined
  return mark === '.' && end < to && isAbbreviation(text, at, from) ? undefined : end
}

const trim = (text: string, start: number, end: number): [number, number] => {
  while (start < end && /\s/.test(text.charAt(start))) start++
  while (end > start && /\s/.test(text.charAt(end - 1))) end--
  return [start, end]
}

/** @returns the words of a passage without Markdown's emphasis, links and line breaks */
export const plain = (passage: string): string => passage
  .replace(/!?\[([^\][\n]{1,300})\]\([^)\s]{0,500}\)/g, '$1')
  .replace(/\*\*|__|`|(?<=^|\s)[*_](?=\S)|(?<=\S)[*_](?=\s|[.,;:!?]|$)/g, '')
  .replace(/[ \t\r]+/g, ' ').replace(/ ?\n[ >]*/g, ' ').trim()

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

/** @returns every sentence of the text's paragraphs and lists, in order, in linear time */
export const sentencesOf = (text: string, mediaType: string): Sentence[] => {
  if (!isProse(mediaType)) return []
  return blocksOf(text, mediaType).filter(({ kind }) => kind === 'item' || kind === 'paragraph').flatMap((block) =>
    splitRange(text, block.start, block.end).map(([start, end]) =>
      ({ text: plain(text.slice(start, end)), start, end, headings: block.headings, block })))
}
