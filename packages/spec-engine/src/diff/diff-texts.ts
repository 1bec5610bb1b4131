import {
  diffLines, diffWordsWithSpace, FILE_HEADERS_ONLY, formatPatch, structuredPatch, type StructuredPatch
} from 'diff'
import type { SpecDiffHunk, SpecDiffPart } from '../schemas/diff.js'

/** Texts that differ more are reported as wholly replaced, which bounds the time of a comparison. */
const mostLines = { maxEditLength: 1_500 }
const mostWords = { maxEditLength: 1_000 }

const linesOf = (text: string): string[] => text === '' ? [] : text.replace(/\n$/, '').split('\n')

const replaced = (oldFileName: string, newFileName: string, before: string, after: string): StructuredPatch => {
  const [gone, come] = [linesOf(before), linesOf(after)]
  const lines = [...gone.map((line) => `-${line}`), ...come.map((line) => `+${line}`)]
  const hunk = { oldStart: 1, oldLines: gone.length, newStart: 1, newLines: come.length, lines }
  return { oldFileName, newFileName, oldHeader: undefined, newHeader: undefined, hunks: [hunk] }
}

/** @returns the hunks with three lines of context, and the same as a patch */
export const diffByLine = (before: string, after: string, [from, to]: readonly [string, string]):
{ hunks: SpecDiffHunk[], unified: string } => {
  const patch = structuredPatch(from, to, before, after, undefined, undefined, { ...mostLines, context: 3 }) ??
    replaced(from, to, before, after)
  const hunks = patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) =>
    ({ from_start: oldStart, from_lines: oldLines, to_start: newStart, to_lines: newLines, lines }))
  return { hunks, unified: hunks.length === 0 ? '' : formatPatch(patch, FILE_HEADERS_ONLY) }
}

const partOf = ({ added, removed, value }: { added: boolean, removed: boolean, value: string }): SpecDiffPart =>
  ({ op: added ? 'insert' : removed ? 'delete' : 'equal', text: value })

const whole = (before: string, after: string): SpecDiffPart[] =>
  [{ op: 'delete' as const, text: before }, { op: 'insert' as const, text: after }].filter(({ text }) => text !== '')

const words = (before: string, after: string): SpecDiffPart[] =>
  diffWordsWithSpace(before, after, mostWords)?.map(partOf) ?? whole(before, after)

/** @returns the parts: compared by line, and by word within replaced lines */
export const diffByWord = (before: string, after: string): SpecDiffPart[] => {
  const lines = diffLines(before, after, mostLines)?.map(partOf) ?? whole(before, after)
  return lines.flatMap((part, at) => {
    const next = lines[at + 1]
    if (part.op === 'delete' && next?.op === 'insert') return words(part.text, next.text)
    return part.op === 'insert' && lines[at - 1]?.op === 'delete' ? [] : [part]
  })
}
