import type { FilteredLogEvent } from '@aws-sdk/client-cloudwatch-logs'
import type { AccountRow } from '../../../../lib/aws/accounts.js'
import type { LogEvent, LogPage, LogSource, LogRequest } from '../../../../schemas/infrastructure/logs.js'
import { itemAt } from '../../../../schemas/unknown.js'
import { RangeInvalid, type Deps } from '../errors.js'
import { shortId, type Origin, firstSpanMs, timeOf } from './log-lines.js'
import { describeEvent, readOrigin, readSince, type Found, type Mark } from './read-logs.js'

export interface Range { from: number, to: number }

const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const usualMs = 15 * 60_000
const longestMs = 7 * 86_400_000

const invalidRange = (name: string, message: string) =>
  RangeInvalid(`${name} ${message}`, { errors: [{ pointer: `/querystring/${name}`, code: 'range_invalid', message }] })

/** @returns in milliseconds. @throws range_invalid */
export const momentOf = (name: string, text: string, now: number): number => {
  const ago = /^(\d+)([smhd])$/.exec(text)
  if (ago?.[1] && ago[2]) return now - Number(ago[1]) * (units[ago[2]] ?? 0)
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw invalidRange(name, 'is no moment')
  return at
}

/**
 * @returns milliseconds, both ends included; by default the last 15 minutes
 * @throws range_invalid when it ends before it begins or is longer than 7 days
 */
export const readRange = (input: { since?: string, until?: string }, now = Date.now()): Range => {
  const to = input.until === undefined ? now : momentOf('until', input.until, now)
  const from = input.since === undefined ? to - usualMs : momentOf('since', input.since, now)
  if (from > to) throw invalidRange('since', 'is after until')
  if (to - from > longestMs) throw invalidRange('since', 'is more than 7 days before until')
  return { from, to }
}

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

/** Logs of one account, and what is known before CloudWatch is read. */
export interface LogOwner {
  /** @returns the lines without those that are certainly another's */
  keep: (events: FilteredLogEvent[]) => Promise<FilteredLogEvent[]>
  /** @returns what is to be said of the lines that were kept though nothing says whose they are */
  notes: () => string[]
}

export interface Logs { account: AccountRow, origins: Origin[], unreadable: LogSource[], owner: LogOwner }

/** Older lines: the range, and a mark for each origin. */
export interface OlderKey { kind: 'older', range: Range, marks: Mark[] }
/** Newer lines: a mark for each origin. */
export interface NewerKey { kind: 'newer', marks: NewerMark[] }

export interface Paged {
  items: LogEvent[]
  range: Range
  older: OlderKey | null
  newer: NewerKey
  sources: LogSource[]
  notes: string[]
}

const maxPages = 10
const maxMs = 8_000

/** @throws the first error when every source failed: an empty page would mean that there are no lines */
const requireAnswer = (found: Found[], sources: LogSource[]) => {
  const [first] = found
  if (!first?.error || found.some(({ error }) => error === null)) return
  Object.assign(first.error.members, { sources })
  throw first.error
}

const describeLines = (logs: Logs, lines: Line[]): LogEvent[] => lines.toSorted(newestFirst).reverse()
  .map(({ index, event }) => describeEvent(itemAt(logs.origins, index), event))

const noteMissing = (found: Found[]): string[] => found.filter(({ status }) => status.status === 'missing')
  .map(({ origin }) => `The log group ${origin.group} does not exist: nothing has been logged yet`)

const isOpen = (mark: Mark | undefined): boolean => typeof mark === 'object' && mark !== null

/**
 * One page of the newest lines of a range, or of the older ones before a page.
 * @throws range_invalid, and what AWS answers when no source could be read
 */
export const readOlder = async (deps: Deps, logs: Logs, input: LogRequest, key?: OlderKey): Promise<Paged> => {
  const range = key?.range ?? readRange(input)
  const before: Mark[] = key?.marks ?? logs.origins.map(() => ({ to: range.to }))
  const budget = { left: maxPages, until: Date.now() + maxMs }
  const query = { from: range.from, filter: input.filter, limit: input.limit, keep: logs.owner.keep }
  const found = await Promise.all(logs.origins.map((origin, index) =>
    readOrigin(deps, logs.account, origin, before[index] ?? null, query, budget)))
  const sources = [...found.map(({ status }) => status), ...logs.unreadable]
  requireAnswer(found.filter((_, index) => isOpen(before[index])), sources)
  const shown = linesOf(found).sort(newestFirst).slice(0, input.limit)
  const marks = olderMarks(found, shown, before, range)
  const hasOlder = marks.some(isOpen)
  return {
    items: describeLines(logs, shown),
    range,
    older: hasOlder ? { kind: 'older', range, marks } : null,
    newer: { kind: 'newer', marks: firstNewerMarks(found, shown, range, hasOlder) },
    sources,
    notes: [...logs.owner.notes(), ...noteMissing(found)]
  }
}

/** What has come since a page, oldest first. @throws what AWS answers when no source could be read */
export const readNewer = async (deps: Deps, logs: Logs, input: LogRequest, key: NewerKey): Promise<Paged> => {
  const markOf = (index: number) => itemAt(key.marks, index)
  const found = await Promise.all(logs.origins.map((origin, index) => {
    const { from, seen } = markOf(index)
    return readSince(deps, logs.account, origin,
      { from, filter: input.filter, limit: input.limit + seen.length, keep: logs.owner.keep })
  }))
  const sources = [...found.map(({ status }) => status), ...logs.unreadable]
  requireAnswer(found, sources)
  const all = linesOf(found)
  const isShown = ({ index, event }: Line) => markOf(index).seen.includes(shortId(event))
  const fresh = all.filter((line) => !isShown(line)).sort(newestFirst).reverse().slice(0, input.limit)
  const known = all.filter((line) => isShown(line) || fresh.includes(line))
  return {
    items: describeLines(logs, fresh),
    range: { from: Math.min(Date.now(), ...key.marks.map(({ from }) => from)), to: Date.now() },
    older: null,
    newer: { kind: 'newer', marks: nextNewerMarks(found, known, key.marks) },
    sources,
    notes: [...logs.owner.notes(), ...noteMissing(found)]
  }
}

/** @returns the page as the API returns it, with its keys encoded */
export const describePage = (paged: Paged, encode: (key: OlderKey | NewerKey) => string): LogPage => ({
  items: paged.items,
  next_cursor: paged.older && encode(paged.older),
  poll_cursor: encode(paged.newer),
  since: new Date(paged.range.from).toISOString(),
  until: new Date(paged.range.to).toISOString(),
  sources: paged.sources,
  complete: paged.older === null && paged.sources.every(({ status }) => status === 'ok' || status === 'missing'),
  notes: paged.notes
})
