import type { GivenFile } from '../import/read-files.js'
import type { ImportLayout, InputKind } from '../schemas/inputs.js'
import type { Chunk, Citation, SpecSettings } from '../schemas/document.js'
import { sectionAt } from './sections.js'

/** What an input refers to. */
export interface About {
  question_id?: string
  rule_id?: string
  target?: string
  /** RFC 3339; without it a waiver does not end. */
  expires_at?: string | null
}

/** An input as the engine reads it: its extracted text, divided into chunks. */
export interface Source {
  input_id: string
  seq: number
  kind: InputKind
  label: string
  media_type: string
  text: string
  chunks: Chunk[]
  superseded: boolean
  about?: About
  /** What of the document is not in the text, such as pages beyond the limit. */
  leftOut?: string
  /** The files of an imported spec. */
  given?: { layout: ImportLayout, files: readonly GivenFile[] }
}

export interface SessionView {
  title: string
  description: string
  settings: SpecSettings
}

/** The kinds of input that requirements may come from. */
export const materialKinds: readonly InputKind[] =
  ['text', 'url', 'file', 'repo_file', 'repo_issue', 'spec', 'answer', 'decision']

/** @returns the sources that requirements may come from, in the order of their seq */
export const materialOf = (sources: readonly Source[]): Source[] => sources
  .filter(({ kind, superseded }) => materialKinds.includes(kind) && !superseded)
  .sort((one, other) => one.seq - other.seq)

/** @returns people's feedback in the order of its seq; it guides the model, but nothing cites it */
export const feedbackOf = (sources: readonly Source[]): Source[] => sources
  .filter(({ kind, superseded }) => kind === 'feedback' && !superseded)
  .sort((one, other) => one.seq - other.seq)

/** @returns the chunk that contains the offset */
export const chunkAt = (chunks: readonly Chunk[], offset: number): Chunk | undefined => {
  let low = 0
  let high = chunks.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((chunks[middle]?.char_start ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return chunks[low]
}

export const maxQuote = 300

/** @returns exact citations of a range, several where one quote would be too long or cross a chunk's end */
export const citeRange = (source: Source, start: number, end: number): Citation[] => {
  const citations: Citation[] = []
  for (let from = start; from < end;) {
    const chunk = chunkAt(source.chunks, from)
    if (!chunk) return citations
    let to = Math.min(end, from + maxQuote, Math.max(chunk.char_end, from + 1))
    const space = source.text.lastIndexOf(' ', to)
    if (to < end && space > from + maxQuote / 2) to = space
    if ((source.text.charCodeAt(to) & 0xfc00) === 0xdc00) to--
    const quote = source.text.slice(from, to)
    const position = { input_id: source.input_id, chunk_id: chunk.chunk_id, char_start: from, char_end: to }
    citations.push({ ...position, quote, match: 'exact', score: 1, location: sectionAt(source, from) })
    from = to
    while (from < end && /\s/.test(source.text.charAt(from))) from++
  }
  return citations
}
