import { createHash } from 'node:crypto'
import type { CloudWatchLogs, FilteredLogEvent, FilterLogEventsCommandInput } from '@aws-sdk/client-cloudwatch-logs'
import { TokenGuard } from '../../../../lib/aws/pages.js'

/** Where lines come from: one group, mostly one container's streams in it. */
export interface Origin {
  region: string
  group: string
  prefix: string | null
  container: string | null
}

/** What a request may still read: `left` pages for all its origins together, until a time in ms. */
export interface Budget { left: number, until: number }

export const isSpent = ({ left, until }: Budget): boolean => left <= 0 || Date.now() >= until

/** AWS's own limit for a page. */
const maxLines = 10_000
/** The first stretch that is read whole where the endpoint does not answer newest first; each further one is longer. */
export const firstSpanMs = 60_000
const growth = 8

/** Where older lines begin: up to `to`, without `seen`; `span` = read in stretches of so many ms. */
export interface OpenMark { to: number, token?: string, seen?: string[], span?: number }

/** `windowed`: the endpoint was found not to answer newest first. */
export interface Lines { events: FilteredLogEvent[], mark: OpenMark | null, windowed: boolean }

/** @returns AWS's id; where an endpoint gives none, a digest of the line */
export const idOf = ({ eventId, logStreamName, timestamp, message }: FilteredLogEvent): string => eventId ??
  createHash('sha256').update(`${logStreamName}|${timestamp}|${message}`).digest('hex').slice(0, 12)

/** A short form of a line's id: cursors carry many, and compare only lines of the same moments. */
export const shortId = (event: FilteredLogEvent): string => idOf(event).slice(-12)

export const timeOf = ({ timestamp }: FilteredLogEvent): number => timestamp ?? 0

/** Each line once, in the order given. */
const distinct = (events: FilteredLogEvent[]): FilteredLogEvent[] =>
  [...new Map(events.map((event) => [`${event.logStreamName}|${idOf(event)}`, event])).values()]

/** Of lines that came oldest first, so that those of one moment keep their order. */
const newestFirst = (events: FilteredLogEvent[]): FilteredLogEvent[] =>
  distinct(events).reverse().sort((a, b) => timeOf(b) - timeOf(a))

/** Emulators may ignore the prefix of the streams. */
const isOf = ({ prefix }: Origin) => ({ logStreamName = '' }: FilteredLogEvent): boolean =>
  prefix === null || logStreamName.startsWith(prefix)

const fetchPage = async (client: CloudWatchLogs, origin: Origin, keep: Range['keep'],
  query: Partial<FilterLogEventsCommandInput>) => {
  const page = await client.filterLogEvents({
    logGroupName: origin.group,
    logStreamNamePrefix: origin.prefix ?? undefined,
    // AWS always does; an emulator may answer stream after stream without.
    interleaved: true,
    ...query
  })
  return { events: await keep((page.events ?? []).filter(isOf(origin))), nextToken: page.nextToken }
}

export interface Range {
  from: number
  filter: string | undefined
  limit: number
  /** @returns the lines without those of another owner */
  keep: (events: FilteredLogEvent[]) => Promise<FilteredLogEvent[]>
}

const isSorted = (events: FilteredLogEvent[], sign: 1 | -1): boolean =>
  events.every((event, index) => index === 0 || sign * (timeOf(event) - timeOf(events[index - 1] ?? event)) >= 0)

/** Whether time goes back at least once, which shows the endpoint's order. */
const isDirected = (events: FilteredLogEvent[]): boolean => timeOf(events.at(-1) ?? {}) < timeOf(events[0] ?? {})

/**
 * Reads newest first, as AWS does when `startFromHead` is false.
 * @returns undefined when the endpoint answers in another order: what it gave need not be the newest
 */
const readNewestFirst = async (client: CloudWatchLogs, origin: Origin, mark: OpenMark, range: Range,
  budget: Budget): Promise<Lines | undefined> => {
  const tokens = new TokenGuard('FilterLogEvents')
  const events: FilteredLogEvent[] = []
  let token = mark.token
  do {
    budget.left--
    const page = await fetchPage(client, origin, range.keep, {
      filterPattern: range.filter,
      startTime: range.from,
      endTime: mark.to,
      limit: range.limit,
      startFromHead: false,
      nextToken: token
    })
    events.push(...page.events.filter((event) => !mark.seen?.includes(shortId(event))))
    token = tokens.accept(page.nextToken)
    if (token !== undefined && !isSorted(events, -1)) return undefined
    // Pages may be empty and still have a successor, so only the token says where the end is.
  } while (token && (events.length < range.limit || !isDirected(events)) && !isSpent(budget))
  return { events: distinct(events), mark: token ? { ...mark, token } : null, windowed: false }
}

/** Reads a stretch of time to its end, in whatever order. */
const readStretch = async (client: CloudWatchLogs, origin: Origin, range: Range & { to: number }, budget: Budget) => {
  const tokens = new TokenGuard('FilterLogEvents')
  const events: FilteredLogEvent[] = []
  let token: string | undefined
  do {
    budget.left--
    const page = await fetchPage(client, origin, range.keep, {
      filterPattern: range.filter, startTime: range.from, endTime: range.to, limit: maxLines, nextToken: token
    })
    events.push(...page.events)
    token = tokens.accept(page.nextToken)
  } while (token && !isSpent(budget))
  return { events, isWhole: token === undefined }
}

/**
 * Reads stretches of time, the last one first, each to its end: the newest lines of an endpoint that cannot be asked
 * for them. A stretch with more lines than the budget allows is left for the next page, and tried shorter there.
 */
const readStretches = async (client: CloudWatchLogs, origin: Origin, mark: OpenMark, range: Range,
  budget: Budget): Promise<Lines> => {
  const events: FilteredLogEvent[] = []
  let { to, span = firstSpanMs } = mark
  let seen = mark.seen ?? []
  do {
    const from = Math.max(range.from, to - Math.floor(span))
    const stretch = await readStretch(client, origin, { ...range, from, to }, budget)
    if (!stretch.isWhole && span >= 1) {
      return { events: newestFirst(events), mark: { to, seen, span: span / growth }, windowed: true }
    }
    const shown = seen
    events.push(...stretch.events.filter((event) => !shown.includes(shortId(event))))
    to = from - 1
    seen = []
    span = Math.max(span, 1) * growth
  } while (events.length < range.limit && to >= range.from && !isSpent(budget))
  return { events: newestFirst(events), mark: to < range.from ? null : { to, span }, windowed: true }
}

/** @returns the newest lines up to a mark, `limit` or more where there are as many, and where older ones begin */
export const readBack = async (client: CloudWatchLogs, origin: Origin, mark: OpenMark, range: Range,
  budget: Budget): Promise<Lines> => {
  const lines = mark.span === undefined ? await readNewestFirst(client, origin, mark, range, budget) : undefined
  return lines ?? readStretches(client, origin, { ...mark, token: undefined }, range, budget)
}

const maxPagesSince = 5

/** @returns the first lines since a moment, the newest of them first; the next poll reads what is left out */
export const readForward = async (client: CloudWatchLogs, origin: Origin, range: Range):
Promise<FilteredLogEvent[]> => {
  const tokens = new TokenGuard('FilterLogEvents')
  const events: FilteredLogEvent[] = []
  let token: string | undefined
  let pages = maxPagesSince
  do {
    const page = await fetchPage(client, origin, range.keep, {
      filterPattern: range.filter, startTime: range.from, limit: range.limit, nextToken: token
    })
    events.push(...page.events)
    token = tokens.accept(page.nextToken)
  } while (token && (events.length < range.limit || !isSorted(events, 1)) && --pages > 0)
  return newestFirst(events)
}
