import type { Source } from '../engine/material.js'
import type { Citation } from '../schemas/document.js'
import type { ImportLayout } from '../schemas/inputs.js'
import { type GivenFile, readFiles, type Span, type Taken } from './read-files.js'

/** An input of kind spec with its parsed content. */
export interface Given {
  source: Source
  layout: ImportLayout
  files: readonly GivenFile[]
  /** Where each file begins in the text of the input; undefined = it does not stand there as it is. */
  offsets: readonly (number | undefined)[]
  taken: Taken
}

/** The input's text has the files one after another, without the blank lines around them. */
const offsetsIn = (source: Source, files: readonly GivenFile[]): (number | undefined)[] => {
  let at = 0
  return files.map(({ text }) => {
    const words = text.trim()
    const begins = at - (text.length - text.trimStart().length)
    const isThere = source.text.startsWith(words, at)
    at += words.length + 2
    return isThere ? begins : undefined
  })
}

/**
 * What a reader of the page does not see, such as a comment, is not read, and stays in the file.
 * @param isEnd whether a range ends there: what is hidden right behind it is no part of it
 * @returns where an offset of the text stands in the whole file
 */
export const offsetInWhole = ({ whole }: GivenFile, offset: number, isEnd: boolean): number => {
  let at = offset
  for (const [from, to] of whole?.hidden ?? []) if (from < at || (from === at && !isEnd)) at += to - from
  return at
}

const read = (source: Source): Given => {
  const { layout, files } = source.given ??
    { layout: 'markdown' as const, files: [{ path: 'spec.md', text: source.text }] }
  return { source, layout, files, offsets: offsetsIn(source, files), taken: readFiles(layout, files) }
}

const known = new WeakMap<Source, Given>()

/** @returns the specs among the inputs in order, from files and from other sessions */
export const givenOf = (inputs: readonly Source[]): Given[] => inputs
  .filter(({ kind, superseded }) => kind === 'spec' && !superseded)
  .map((source) => {
    const given = known.get(source) ?? read(source)
    known.set(source, given)
    return given
  })

type Range = Pick<Citation, 'input_id' | 'char_start' | 'char_end'>

const rangesOf = ({ source, offsets }: Given, spans: readonly { file: number, span: Span }[]): Range[] =>
  spans.flatMap(({ file, span: { start, end } }) => {
    const offset = offsets[file]
    return offset === undefined ? [] : [{ input_id: source.input_id, char_start: offset + start, char_end: offset + end }]
  })

/** @returns where the files say what an import puts into sections, and where the fields of their layout stand */
export const importedRanges = (inputs: readonly Source[]): { notes: Range[], fields: Range[] } => {
  const given = givenOf(inputs)
  return {
    notes: given.flatMap((one) => rangesOf(one, one.taken.notes.map(({ file, content: span }) => ({ file, span })))),
    fields: given.flatMap((one) => rangesOf(one, one.taken.fields))
  }
}
