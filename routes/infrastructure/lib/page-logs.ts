import type { AccountRow } from '../../../db/cloud/accounts.js'
import type { FilteredLogEvent } from '@aws-sdk/client-cloudwatch-logs'
import type { LogEvent, LogPage, LogSource, LogWish } from '../../../schemas/infrastructure/logs.js'
import { AwsPermissionDenied, AwsThrottled } from '../../../schemas/cloud/errors.js'
import { readRange, type Range } from './log-range.js'
import { describeEvent, readOrigin, readSince, type Found, type Mark, type Origin } from './read-logs.js'
import type { Deps } from './sources.js'

/** Whose lines they are, and what is known before CloudWatch is asked. */
export interface Logs { account: AccountRow, origins: Origin[], unreadable: LogSource[], notes: string[] }

/** Older lines: the range, and a mark for each origin. */
export interface OlderKey { kind: 'older', range: Range, marks: Mark[] }
/** Newer lines: the newest moment that was told, and the ids of what was told of the last seconds before it. */
export interface NewerKey { kind: 'newer', at: number, seen: string[] }

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
/** A line may be ingested after a later one: polls look back as far. */
const overlapMs = 5_000
const remembered = 150

interface Line { index: number, event: FilteredLogEvent }

const timeOf = ({ event }: Line) => event.timestamp ?? 0
const newestFirst = (a: Line, b: Line) => timeOf(b) - timeOf(a)

/** A short form of an id: cursors carry many. */
const short = (event: FilteredLogEvent): string => (event.eventId ?? '').slice(-12)

const linesOf = (found: Found[]): Line[] =>
  found.flatMap(({ events }, index) => events.map((event) => ({ index, event })))

/** Where each origin goes on: at its own token if all of its lines are told, else at the oldest line that is. */
const nextMarks = (found: Found[], told: Line[], before: Mark[], range: Range): Mark[] => found.map((one, index) => {
  const mine = told.filter((line) => line.index === index)
  if (mine.length === one.events.length) return one.mark
  const oldest = mine.length > 0 ? Math.min(...mine.map(timeOf)) : before[index]?.to ?? range.to
  const seen = mine.filter((line) => timeOf(line) === oldest).map(({ event }) => event.eventId ?? '')
  const held = oldest === before[index]?.to ? before[index]?.seen ?? [] : []
  return { to: oldest, seen: [...held, ...seen].slice(-remembered) }
})

/** @throws the refusal when every source was refused: an empty page would say that there is nothing */
const refuseIfNone = (sources: LogSource[]) => {
  if (sources.length === 0) return
  const detail = sources[0]?.detail ?? undefined
  if (sources.every(({ status }) => status === 'denied')) throw AwsPermissionDenied(detail, { sources })
  if (sources.every(({ status }) => status === 'throttled')) throw AwsThrottled(detail, { sources, retry_after: 5 })
}

const newerOf = (lines: Line[], at: number): NewerKey => {
  const newest = Math.max(at, ...lines.map(timeOf))
  const recent = lines.filter((line) => timeOf(line) > newest - overlapMs).sort(newestFirst)
  return { kind: 'newer', at: newest, seen: recent.slice(0, remembered).map(({ event }) => short(event)) }
}

const tell = (logs: Logs, lines: Line[]): LogEvent[] => lines.toSorted(newestFirst).reverse()
  .map(({ index, event }) => describeEvent(logs.origins[index] as Origin, event))

const noteMissing = (found: Found[]): string[] => found.filter(({ status }) => status.status === 'missing')
  .map(({ origin }) => `The log group ${origin.group} does not exist: nothing has been logged yet`)

/** One page of the newest lines of a range, or of the older ones before a page. */
export const readOlder = async (deps: Deps, logs: Logs, wish: LogWish, key?: OlderKey): Promise<Paged> => {
  const range = key?.range ?? readRange(wish)
  const before: Mark[] = key?.marks ?? logs.origins.map(() => ({ to: range.to }))
  const pages = { left: maxPages, until: Date.now() + maxMs }
  const ask = { from: range.from, filter: wish.filter, limit: wish.limit, pages }
  const found = await Promise.all(logs.origins.map((origin, index) =>
    readOrigin(deps, logs.account, origin, before[index] ?? null, ask)))
  const sources = [...found.map(({ status }) => status), ...logs.unreadable]
  refuseIfNone(sources)
  const told = linesOf(found).sort(newestFirst).slice(0, wish.limit)
  const marks = nextMarks(found, told, before, range)
  const more = marks.some((mark) => mark !== null)
  return {
    items: tell(logs, told),
    range,
    older: more ? { kind: 'older', range, marks } : null,
    newer: newerOf(told, told.length > 0 ? 0 : range.to - overlapMs),
    sources,
    notes: [...logs.notes, ...noteMissing(found)]
  }
}

/** What has come since a page, oldest first. */
export const readNewer = async (deps: Deps, logs: Logs, wish: LogWish, key: NewerKey): Promise<Paged> => {
  const from = key.at - overlapMs
  const found = await Promise.all(logs.origins.map((origin) =>
    readSince(deps, logs.account, origin, { from, filter: wish.filter, limit: wish.limit + key.seen.length })))
  const sources = [...found.map(({ status }) => status), ...logs.unreadable]
  refuseIfNone(sources)
  const all = linesOf(found)
  const isTold = ({ event }: Line) => key.seen.includes(short(event))
  const fresh = all.filter((line) => !isTold(line)).sort(newestFirst).reverse().slice(0, wish.limit)
  const known = all.filter((line) => isTold(line) || fresh.includes(line))
  return {
    items: tell(logs, fresh),
    range: { from, to: Date.now() },
    older: null,
    newer: newerOf(known, key.at),
    sources,
    notes: [...logs.notes, ...noteMissing(found)]
  }
}

/** @returns the page as it crosses the wire, with its keys sealed */
export const describePage = (paged: Paged, seal: (key: OlderKey | NewerKey) => string): LogPage => ({
  items: paged.items,
  next_cursor: paged.older && seal(paged.older),
  poll_cursor: seal(paged.newer),
  since: new Date(paged.range.from).toISOString(),
  until: new Date(paged.range.to).toISOString(),
  sources: paged.sources,
  complete: paged.older === null,
  notes: paged.notes
})
