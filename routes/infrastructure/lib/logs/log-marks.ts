import type { FilteredLogEvent } from '@aws-sdk/client-cloudwatch-logs'
import { firstSpanMs, shortId, timeOf } from './log-lines.js'
import type { Range } from './log-range.js'
import type { Found, Mark } from './read-logs.js'
import { itemAt } from '../../../../schemas/keys.js'

/** A line and which origin it is of. */
export interface Line { index: number, event: FilteredLogEvent }

/** What a poll of one origin knows: the newest line that was shown, from when to read, and what of that was shown. */
export interface NewerMark { at: number, from: number, seen: string[] }

/** A line may be ingested after a later one: polls look back as far. */
export const overlapMs = 5_000
/** Ids in a cursor for all origins together, so that it stays below 8,000 characters. */
const remembered = 300

const capOf = (origins: number): number => Math.floor(remembered / Math.max(1, origins))

export const lineTime = ({ event }: Line): number => timeOf(event)
export const newestFirst = (a: Line, b: Line): number => lineTime(b) - lineTime(a)

export const linesOf = (found: Found[]): Line[] =>
  found.flatMap(({ events }, index) => events.map((event) => ({ index, event })))

const openOf = (mark: Mark | undefined) => mark === 'denied' ? undefined : mark ?? undefined

/** Where each origin goes on: at its own mark if all of its lines are shown, else at the oldest line that is. */
export const olderMarks = (found: Found[], shown: Line[], before: Mark[], range: Range): Mark[] =>
  found.map((one, index) => {
    const mine = shown.filter((line) => line.index === index)
    if (mine.length === one.events.length) return one.mark
    const start = openOf(before[index])
    const oldest = mine.length > 0 ? Math.min(...mine.map(lineTime)) : start?.to ?? range.to
    const seen = mine.filter((line) => lineTime(line) === oldest).map(({ event }) => shortId(event))
    const held = oldest === start?.to ? start.seen ?? [] : []
    const span = one.windowed ? { span: start?.span ?? firstSpanMs } : {}
    return { to: oldest, seen: [...held, ...seen].slice(-capOf(found.length)), ...span }
  })

/** The newest of the lines, whole moments only: a moment that is cut would show its other lines again. */
const newestWhole = (lines: Line[], cap: number): Line[] => {
  if (lines.length <= cap) return lines
  const cut = lineTime(itemAt(lines, cap))
  return lines.slice(0, cap).filter((line) => lineTime(line) > cut)
}

/** @param shown of the origin, as far as they are known; @param floor nothing before it is news */
const newerMark = (shown: Line[], at: number, floor: number, cap: number): NewerMark => {
  const newest = Math.max(at, ...shown.map(lineTime))
  const from = Math.max(newest - overlapMs, floor)
  const recent = shown.filter((line) => lineTime(line) >= from).sort(newestFirst)
  const kept = newestWhole(recent, cap)
  const last = kept.at(-1)
  const start = kept.length === recent.length ? from : last ? lineTime(last) : newest + 1
  return { at: newest, from: start, seen: kept.map(({ event }) => shortId(event)) }
}

/**
 * Where polls begin after a page. Lines that belong to an older page are no news, and those of an origin that failed
 * are all still to come.
 */
export const firstNewerMarks = (found: Found[], shown: Line[], range: Range, hasOlder: boolean): NewerMark[] => {
  const cut = hasOlder && shown.length > 0 ? Math.min(...shown.map(lineTime)) + 1 : range.from
  const at = shown.length > 0 ? Math.max(...shown.map(lineTime)) : range.to - overlapMs
  return found.map(({ error }, index) => error
    ? { at: range.from, from: range.from, seen: [] }
    : newerMark(shown.filter((line) => line.index === index), at, cut, capOf(found.length)))
}

/** Where the next poll goes on: an origin that failed stays where it was. */
export const nextNewerMarks = (found: Found[], shown: Line[], before: NewerMark[]): NewerMark[] =>
  found.map(({ error }, index) => {
    const held = itemAt(before, index)
    return error
      ? held
      : newerMark(shown.filter((line) => line.index === index), held.at, held.from, capOf(found.length))
  })
