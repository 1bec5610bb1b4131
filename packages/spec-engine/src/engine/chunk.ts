import { createHash } from 'node:crypto'
import type { Chunk } from '../schemas/document.js'
import { type Block, blocksOf, splitRange } from 'steward-document-reader/document'

/** Four characters are estimated for a token; a chunk has 400 to 1,500 tokens. */
const perToken = 4
const least = 400 * perToken
const most = 1_500 * perToken

interface Piece { start: number, end: number, headings: string[] }

/** @returns the offset, moved back if it would cut a surrogate pair */
const safe = (text: string, at: number): number => (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at

const cutHard = (text: string, { start, end, headings }: Piece): Piece[] => {
  const pieces: Piece[] = []
  for (let from = start; from < end;) {
    const to = from + most >= end ? end : safe(text, from + most)
    pieces.push({ start: from, end: to, headings })
    from = to
  }
  return pieces
}

const isLong = ({ start, end }: Piece) => end - start > most

/** Divides a block that exceeds a chunk at its sentences, and a sentence that exceeds one at any character. */
const divide = (text: string, block: Block): Piece[] => {
  if (!isLong(block)) return [block]
  const starts = splitRange(text, block.start, block.end).map(([start]) => start)
  const sentences = [block.start, ...starts.slice(1)].map((start, index) =>
    ({ start, end: starts[index + 1] ?? block.end, headings: block.headings }))
  return sentences.flatMap((piece) => isLong(piece) ? cutHard(text, piece) : [piece])
}

/** Joins blocks up to the size of a chunk. A heading begins a new chunk once the open one is large enough. */
const gather = (text: string, blocks: Block[]): Piece[] => {
  const chunks: Piece[] = []
  let open: Piece | undefined
  for (const block of blocks) {
    for (const piece of divide(text, block)) {
      const held: number = open ? open.end - open.start : 0
      const isFull = open && (piece.end - open.start > most || (block.kind === 'heading' && held >= least))
      if (!open || isFull) chunks.push(open = { ...piece })
      else open.end = piece.end
    }
  }
  return chunks
}

/** Extends each chunk to the start of the next one, so that chunks leave no gap; divides what becomes too long. */
const close = (text: string, pieces: Piece[]): Piece[] => pieces.flatMap((piece, index) => {
  const whole = { ...piece, start: index === 0 ? 0 : piece.start, end: pieces[index + 1]?.start ?? text.length }
  return whole.end - whole.start > most * 2 ? cutHard(text, whole) : [whole]
})

/**
 * Divides an input's extracted text by its headings.
 * @returns chunks that cover the whole text in order, each of 400 to 1,500 tokens where the text allows
 */
export const chunkInput = (inputId: string, text: string, mediaType: string): Chunk[] => {
  if (text.trim() === '') return []
  const gathered = gather(text, blocksOf(text, mediaType))
  const pieces = gathered.length > 0 ? gathered : cutHard(text, { start: 0, end: text.length, headings: [] })
  return close(text, pieces).map(({ start, end, headings }, index) => ({
    chunk_id: `${inputId}#${index + 1}`,
    heading_path: headings.map((title) => title.slice(0, 300).toWellFormed()),
    char_start: start,
    char_end: end,
    sha256: createHash('sha256').update(text.slice(start, end)).digest('hex'),
    token_estimate: Math.ceil((end - start) / perToken)
  }))
}
