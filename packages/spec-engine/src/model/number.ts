import { plainUnits } from '../engine/judged.js'
import type { GenerationTask } from '../engine/task.js'
import type { Unit } from '../engine/triage.js'

/** Characters of the sentences that one call carries: about 10,000 tokens. */
export const partChars = 40_000

const wide = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/gu

/** A character of Chinese, Japanese or Korean is about a token, as four of other scripts are. */
const weigh = (text: string): number => text.length + 3 * (text.match(wide)?.length ?? 0)

/** A sentence: the input's place in the list, its offsets, and what its place says of it, such as its column. */
export type Line = [input: number, start: number, end: number, note: string]

/** Sentences that a model reads in one call; the first has the number `from`. */
export interface Part { from: number, under: string[], lines: Line[] }

const noteOf = ({ block, cell }: Unit): string => {
  if (block.kind === 'heading') return '#'
  if (cell) return cell.isHeader ? 'header' : cell.column
  if (block.comment) return block.comment.author
  return block.kind === 'paragraph' || block.kind === 'item' ? '' : block.kind
}

/**
 * Divides the sentences of all inputs into parts of about the same weight. A part begins at a heading where one is near.
 * In modes of single requirements only the parts that those cite are read.
 */
export const numberSentences = ({ inputs, session, mode, targets, base }: Pick<GenerationTask, 'inputs' | 'session' |
  'mode' | 'targets' | 'base'>): Part[] => {
  const units = plainUnits(inputs, session.settings.locale)
  const weights = units.map(({ source, start, end }) => weigh(source.text.slice(start, end)) + 8)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const count = Math.max(1, Math.ceil(total / partChars))
  const size = total / count
  const parts: Part[] = []
  let held = 0
  units.forEach((unit, at) => {
    const isTitle = unit.block.kind === 'heading'
    const isFull = parts.length < count && held >= (parts.length - (isTitle ? 0.1 : 0)) * size
    if (isFull) parts.push({ from: at + 1, under: isTitle ? unit.headings.slice(0, -1) : [...unit.headings], lines: [] })
    const note = noteOf(unit).replace(/\s+/g, ' ').slice(0, 60)
    parts.at(-1)?.lines.push([inputs.indexOf(unit.source), unit.start, unit.end, note])
    held += weights[at] ?? 0
  })
  if (mode !== 'requirements' || !base) return parts
  const cited = base.requirements.filter(({ id }) => targets.includes(id)).flatMap(({ citations }) => citations)
  return parts.filter(({ lines }) => lines.some(([input, start, end]) => cited.some((one) =>
    one.input_id === inputs[input]?.input_id && one.char_start < end && start < one.char_end)))
}
