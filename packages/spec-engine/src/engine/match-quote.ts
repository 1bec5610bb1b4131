import type { Citation } from '../schemas/document.js'
import type { Source } from './material.js'
import { maxQuote } from './material.js'
import { sectionAt } from './sections.js'
import { overlap, wordsAt, type Word } from './words.js'

/** Minimum similarity of a fuzzy match. */
const least = 0.92
const minWords = 3

type Position = Pick<Citation, 'char_start' | 'char_end' | 'match' | 'score'>

const wordsEqual = (text: readonly Word[], from: number, quote: readonly Word[]): boolean =>
  quote.every(({ word }, at) => text[from + at]?.word === word)

const positionOf = (words: readonly Word[], from: number, to: number, offset: number) =>
  ({ char_start: offset + (words[from]?.start ?? 0), char_end: offset + (words[to]?.end ?? 0) })

/** Ignores case, spaces, punctuation and Markdown. */
const findNormalized = (text: readonly Word[], quote: readonly Word[], offset: number): Position | undefined => {
  for (let at = 0; at + quote.length <= text.length; at++) {
    if (!wordsEqual(text, at, quote)) continue
    return { ...positionOf(text, at, at + quote.length - 1, offset), match: 'normalized', score: 1 }
  }
  return undefined
}

const count = (words: readonly Word[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const { word } of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Slides a window as long as the quote over the text, and counts the words that enter and leave it. */
const findFuzzy = (text: readonly Word[], quote: readonly Word[], offset: number): Position | undefined => {
  const expected = count(quote)
  const held = new Map<string, number>()
  let common = 0
  let best: { at: number, score: number } | undefined
  const change = (word: string, by: 1 | -1) => {
    const before = Math.min(held.get(word) ?? 0, expected.get(word) ?? 0)
    held.set(word, (held.get(word) ?? 0) + by)
    common += Math.min(held.get(word) ?? 0, expected.get(word) ?? 0) - before
  }
  text.forEach(({ word }, at) => {
    change(word, 1)
    if (at >= quote.length) change(text[at - quote.length]?.word ?? '', -1)
    const score = common / quote.length
    if (at >= quote.length - 1 && score >= least && score > (best?.score ?? 0)) {
      best = { at: at - quote.length + 1, score }
    }
  })
  if (!best) return undefined
  return { ...positionOf(text, best.at, best.at + quote.length - 1, offset), match: 'fuzzy', score: best.score }
}

/** Rejects a quote with other numbers or negations, however similar its words are. */
const keepsSense = (text: string, quote: string): boolean => {
  const distinctive = (part: string) => new Set(wordsAt(part).map(({ word }) => word)
    .filter((word) => /\d/.test(word) || /^(?:not|no|never|without|cannot)$/.test(word)))
  return overlap(distinctive(text), distinctive(quote)) === 1
}

/**
 * Proves a quote by finding it in the chunk that it names: exactly; then ignoring case, spaces, punctuation and
 * Markdown; then by its words, of which 92 % must match.
 * @returns the citation with its position in the input's text; undefined = the chunk does not contain the quote
 */
export const matchQuote = (source: Source, chunkId: string, quote: string): Citation | undefined => {
  const chunk = source.chunks.find(({ chunk_id: id }) => id === chunkId)
  const passage = quote.trim()
  if (!chunk || passage === '' || passage.length > maxQuote) return undefined
  const text = source.text.slice(chunk.char_start, chunk.char_end)
  const position = findPosition(text, passage, chunk.char_start)
  return position && {
    input_id: source.input_id,
    chunk_id: chunkId,
    quote: source.text.slice(position.char_start, position.char_end).slice(0, maxQuote),
    ...position,
    char_end: Math.min(position.char_end, position.char_start + maxQuote),
    location: sectionAt(source, position.char_start)
  }
}

const findPosition = (text: string, quote: string, offset: number): Position | undefined => {
  const at = text.indexOf(quote)
  if (at !== -1) {
    return { char_start: offset + at, char_end: offset + at + quote.length, match: 'exact', score: 1 }
  }
  const words = wordsAt(text)
  const expected = wordsAt(quote)
  if (expected.length === 0) return undefined
  const found = findNormalized(words, expected, offset)
  if (found || expected.length < minWords) return found
  const near = findFuzzy(words, expected, offset)
  return near && keepsSense(text.slice(near.char_start - offset, near.char_end - offset), quote) ? near : undefined
}
