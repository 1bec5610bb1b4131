import { materialOf, type Source } from '../engine/material.js'
import type { Chunk } from '../schemas/document.js'
import type { GenerationTask } from '../engine/task.js'
import { asksForAll, namedRequirements, type Scoped } from './scope.js'

/** Characters of all inputs above which no question to the model carries all of them. */
export const wholeChars = 100_000
/** Characters of one part, and demands in it: about as much as one answer holds. */
const batchChars = 16_000
const batchDemands = 50

export const isLarge = (chars: number): boolean => chars > wholeChars

/** Consecutive chunks of one input that the model reads in one call. */
export interface Batch { source: Source, chunks: Chunk[] }

/** Roughly how many sentences demand something: the reader finds out, this only sizes the parts. */
const modal = /\b(?:must|shall|should|may|needs? to|ha(?:s|ve) to|muss|müssen|soll(?:en)?|darf|dürfen|doit|doivent|debe[n]?)\b/giu

const divide = (source: Source): Batch[] => {
  const batches: Batch[] = []
  let open: Batch | undefined
  let [length, demands] = [0, 0]
  for (const chunk of source.chunks) {
    const text = source.text.slice(chunk.char_start, chunk.char_end)
    const count = text.match(modal)?.length ?? 0
    if (!open || length + text.length > batchChars || demands + count > batchDemands) {
      batches.push(open = { source, chunks: [] });
      [length, demands] = [0, 0]
    }
    open.chunks.push(chunk)
    length += text.length
    demands += count
  }
  return batches
}

/** A generation asks for its parts before each of its steps. */
const known = new WeakMap<readonly Source[], Batch[]>()

const divideAll = (inputs: readonly Source[]): Batch[] => {
  const batches = known.get(inputs) ?? materialOf(inputs).flatMap(divide)
  known.set(inputs, batches)
  return batches
}

export const charsOf = (task: Pick<GenerationTask, 'inputs'>): number =>
  materialOf(task.inputs).reduce((all, { text }) => all + text.length, 0)

/** @returns the parts in which large inputs are read; none when each question carries all of them */
export const batchesOf = ({ inputs }: Pick<GenerationTask, 'inputs'>): Batch[] =>
  isLarge(charsOf({ inputs })) ? divideAll(inputs) : []

/** @returns the numbers of the parts, from 1, that the generation reads: where only some requirements, their parts */
export const readBatches = (task: Scoped & Pick<GenerationTask, 'inputs'>): number[] => {
  const all = batchesOf(task)
  const cited = new Set(namedRequirements(task).flatMap(({ citations }) => citations.map(({ chunk_id: id }) => id)))
  const onlyNamed = !asksForAll(task) && !task.targets.some((target) => target.startsWith('sections.'))
  return all.flatMap(({ chunks }, at) =>
    !onlyNamed || chunks.some(({ chunk_id: id }) => cited.has(id)) ? [at + 1] : [])
}
