import type { SpecDocument } from '../schemas/document.js'
import { uncoveredOf } from '../engine/coverage.js'
import { materialOf, type Source } from '../engine/material.js'
import { notTakenOf } from '../engine/not-taken.js'
import { readSource } from '../engine/read-source.js'

/** Lists the uncovered sentences again: a merged document cites other sentences than the proposal. */
export const listUncovered = (document: SpecDocument, inputs: readonly Source[]): SpecDocument => {
  const units = materialOf(inputs).flatMap((source) => readSource(source, document.settings.locale))
  const active = document.requirements.filter(({ status }) => status === 'active')
  const listed = new Map(document.uncovered.map((one) => [`${one.chunk_id} ${one.quote}`, one]))
  const uncovered = uncoveredOf(units, [...active, ...document.stories, ...document.success_criteria], [])
  // What an earlier version counted is not counted of this one.
  const { not_taken_more: _, ...rest } = document
  return {
    ...rest,
    uncovered: uncovered.map((one) => listed.get(`${one.chunk_id} ${one.quote}`) ?? one),
    ...notTakenOf(units)
  }
}
