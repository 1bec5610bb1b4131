import type { Citation, Uncovered } from '../schemas/document.js'
import { chunkAt, maxQuote } from './material.js'
import type { Unit } from './read-source.js'
import { wordingOf } from './repeats.js'

interface Range { start: number, end: number }
interface Cites { citations: Citation[], repeats?: number }

/** A sentence is covered when citations cover at least this share of it. */
const enough = 0.5

/** @returns the cited ranges of each input, merged and in order */
const rangesOf = (items: readonly Cites[]): Map<string, Range[]> => {
  const all = new Map<string, Range[]>()
  for (const { input_id, char_start, char_end } of items.flatMap(({ citations }) => citations)) {
    const held = all.get(input_id) ?? []
    held.push({ start: char_start, end: char_end })
    all.set(input_id, held)
  }
  for (const [id, ranges] of all) {
    const merged: Range[] = []
    for (const range of ranges.sort((one, other) => one.start - other.start)) {
      const last = merged.at(-1)
      if (last && range.start <= last.end) last.end = Math.max(last.end, range.end)
      else merged.push({ ...range })
    }
    all.set(id, merged)
  }
  return all
}

/** @returns the number of cited characters of the range; `from` is the index to start at */
const citedIn = (ranges: readonly Range[], from: number, { start, end }: Range): { cited: number, next: number } => {
  let next = from
  while (next < ranges.length && (ranges[next]?.end ?? 0) <= start) next++
  let cited = 0
  for (let at = next; at < ranges.length && (ranges[at]?.start ?? 0) < end; at++) {
    const range = ranges[at] ?? { start, end: start }
    cited += Math.min(end, range.end) - Math.max(start, range.start)
  }
  return { cited, next }
}

/** @returns whether the items cite a unit; it is asked in the order of the units */
const coveredBy = (items: readonly Cites[]): ((unit: Unit) => boolean) => {
  const ranges = rangesOf(items)
  const positions = new Map<string, number>()
  return (unit) => {
    const id = unit.source.input_id
    const { cited, next } = citedIn(ranges.get(id) ?? [], positions.get(id) ?? 0, unit)
    positions.set(id, next)
    return cited >= (unit.end - unit.start) * enough
  }
}

/** Of what stands very often the items cite the first places, which stand for the others in the same words. */
const repeatedIn = (units: readonly Unit[], items: readonly Cites[]): Set<string> => {
  const often = items.filter(({ repeats }) => repeats !== undefined)
  return new Set(often.length === 0 ? [] : units.filter(coveredBy(often)).map(wordingOf))
}

/**
 * @param units of all inputs, in order within each input
 * @returns the sentences of these senses that no item cites, in time linear in both
 */
export const uncoveredUnits = (units: readonly Unit[], items: readonly Cites[],
  senses: readonly Unit['sense'][] = ['normative']): Unit[] => {
  const repeated = repeatedIn(units, items)
  const isCovered = coveredBy(items)
  return units.filter((unit) => senses.includes(unit.sense) && !isCovered(unit) &&
    !(repeated.size > 0 && repeated.has(wordingOf(unit))))
}

const reasonFor = (unit: Unit, noRoom: ReadonlySet<Unit>): string => {
  if (noRoom.has(unit)) return 'The spec has as many requirements as it may have; split it, or raise max_requirements'
  return unit.text.length > maxStatement
    ? `The sentence is longer than ${maxStatement} characters; divide it`
    : 'No requirement cites this sentence'
}

/** Longest statement; a longer sentence makes no requirement and stays uncovered. */
export const maxStatement = 2_000

/** The document lists only these; the check report counts all of them. */
const maxListed = 500

/** @returns the document's list of uncovered sentences; `dropped` are those beyond max_requirements */
export const uncoveredOf = (units: readonly Unit[], items: readonly Cites[], dropped: readonly Unit[]): Uncovered[] => {
  const noRoom = new Set(dropped)
  const all = uncoveredUnits(units, items)
  const more = all.length - maxListed
  return all.slice(0, maxListed).map((unit, at) => ({
    input_id: unit.source.input_id,
    chunk_id: chunkAt(unit.source.chunks, unit.start)?.chunk_id ?? '',
    quote: unit.source.text.slice(unit.start, Math.min(unit.end, unit.start + maxQuote)).toWellFormed(),
    why: reasonFor(unit, noRoom) + (more > 0 && at === maxListed - 1 ? `; ${more} more after it are not listed` : '')
  }))
}
