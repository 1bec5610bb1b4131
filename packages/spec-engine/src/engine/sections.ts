import { type Block, blocksOf, isProse } from 'steward-document-reader/document'
import type { Source } from './material.js'

/** The sections of sources, read once for all citations of a source. */
const held = new WeakMap<Source, Block[]>()

const blocksOfSource = (source: Source): Block[] => {
  const known = held.get(source)
  if (known) return known
  const blocks = isProse(source.media_type) ? blocksOf(source.text, source.media_type) : []
  held.set(source, blocks)
  return blocks
}

const headingsAt = (blocks: readonly Block[], offset: number): readonly string[] => {
  let low = 0
  let high = blocks.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((blocks[middle]?.start ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return blocks[low]?.headings ?? []
}

const maxLocation = 400

export const sourceName = ({ label, seq }: Pick<Source, 'label' | 'seq'>): string =>
  label === '' ? `input ${seq}` : label

/** @returns the input's name and the headings above the offset, such as "Brief › Features › Doors" */
export const sectionAt = (source: Source, offset: number): string =>
  [sourceName(source), ...headingsAt(blocksOfSource(source), offset)].join(' › ').slice(0, maxLocation).toWellFormed()
