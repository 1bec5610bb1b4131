import type { DiffSpecQuery, SpecDiff } from '../schemas/diff.js'
import type { SpecDocument } from '../schemas/document.js'
import { renderMarkdown } from '../export/markdown.js'
import { diffItems } from './diff-items.js'
import { diffByLine, diffByWord } from './diff-texts.js'

export interface Compared { version: number, document: SpecDocument }

const nameOf = (row: Compared | undefined) => row ? `v${row.version}.md` : '/dev/null'

/** @returns how two versions differ; it compares texts, and so takes a process of its own */
export const compareDocuments = (before: Compared | undefined, after: Compared,
  granularity: DiffSpecQuery['granularity']): SpecDiff => {
  const between = { from: before?.version ?? null, to: after.version }
  if (granularity === 'requirement') {
    return { granularity, ...between, ...diffItems(before?.document, after.document) }
  }
  const [from, to] = [before ? renderMarkdown(before.document) : '', renderMarkdown(after.document)]
  return granularity === 'line'
    ? { granularity, ...between, ...diffByLine(from, to, [nameOf(before), nameOf(after)]) }
    : { granularity, ...between, parts: diffByWord(from, to) }
}
