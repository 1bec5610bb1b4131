import type { FilteredLogEvent, FilterLogEventsRequest, FilterLogEventsResponse } from '@aws-sdk/client-cloudwatch-logs'
import { invalid } from '../core/errors.js'
import { operation, type Call } from '../core/operation.js'
import { pageSize, tokenPosition, writeToken } from '../core/paging.js'
import { groupArn, requireReadable } from './lookup.js'
import { parsePattern } from './pattern.js'
import { byPosition, INGESTION_MS, readStreams, type Position, type StoredEvent } from './read.js'
import type { LogGroupState, LogStreamState } from './state.js'

const MAX_EVENTS = 10_000
const MAX_BYTES = 1_048_576
/** A page ends after this many events, even without a match: an empty page with a token is normal. */
const SCANNED_PER_PAGE = 2000
const NEWEST_FIRST_SINCE = Date.UTC(2024, 0, 1)

export const filterOperations = {
  FilterLogEvents: operation('logs:FilterLogEvents', filterLogEvents, ({ region, input }) => groupArn(region, input))
}

function filterLogEvents ({ region, input, now }: Call<FilterLogEventsRequest>): FilterLogEventsResponse {
  const group = requireReadable(region, input, 'FilterLogEvents')
  const limit = pageSize(input.limit, { fallback: MAX_EVENTS, max: MAX_EVENTS, error: invalid })
  const newestFirst = parseOrder(input)
  const streams = chooseStreams(group, input)
  const scope = JSON.stringify([group.name, input.filterPattern, input.startTime, input.endTime, newestFirst])
  const start = input.nextToken === undefined ? undefined : readPosition(input.nextToken, scope)
  const range = { from: input.startTime ?? 0, to: Math.min(input.endTime ?? Infinity, now - INGESTION_MS) }
  if (start && newestFirst) range.to = Math.min(range.to, start[0])
  else if (start) range.from = Math.max(range.from, start[0])
  const events = skip(readStreams(streams, range, newestFirst), start, newestFirst)
  const { found, stoppedAt } = collect(events, parsePattern(input.filterPattern), limit)
  return {
    events: found.map(view),
    searchedLogStreams: [],
    ...(stoppedAt ? { nextToken: writeToken(scope, JSON.stringify(stoppedAt)) } : {})
  }
}

/** `startFromHead: false` requests the newest first, which is allowed only for the recent past. */
function parseOrder ({ startFromHead, startTime, endTime }: FilterLogEventsRequest): boolean {
  if (startTime !== undefined && endTime !== undefined && startTime > endTime) {
    throw invalid('startTime must not be after endTime.')
  }
  if (startFromHead !== false) return false
  if (startTime === undefined || startTime < NEWEST_FIRST_SINCE) {
    throw invalid('startFromHead can be false only with a startTime of 2024-01-01 or later.')
  }
  return true
}

function chooseStreams (group: LogGroupState, input: FilterLogEventsRequest): LogStreamState[] {
  const { logStreamNames: names, logStreamNamePrefix: prefix } = input
  if (names && prefix) throw invalid('Only one of logStreamNames and logStreamNamePrefix may be specified.')
  if (names && (names.length === 0 || names.length > 100)) throw invalid('logStreamNames must have 1 to 100 elements.')
  return [...group.streams.values()]
    .filter((one) => names === undefined || names.includes(one.name))
    .filter((one) => one.name.startsWith(prefix ?? ''))
}

function * skip (
  events: Iterable<StoredEvent>, start: Position | undefined, newestFirst: boolean
): Generator<StoredEvent, void> {
  for (const event of events) {
    const order = start ? byPosition(event.key, start) : 1
    if (order !== 0 && (!start || (order < 0) === newestFirst)) yield event
  }
}

function collect (events: Iterable<StoredEvent>, matches: (message: string) => boolean, limit: number) {
  const found: StoredEvent[] = []
  let scanned = 0
  let bytes = 0
  let last: Position | undefined
  for (const event of events) {
    const size = Buffer.byteLength(event.message) + 26
    const isFull = found.length >= limit || scanned >= SCANNED_PER_PAGE || bytes + size > MAX_BYTES
    if (isFull && last) return { found, stoppedAt: last }
    scanned++
    last = event.key
    if (!matches(event.message)) continue
    bytes += size
    found.push(event)
  }
  return { found, stoppedAt: undefined }
}

function readPosition (token: string, scope: string): Position {
  const text = tokenPosition(token, scope)
  if (typeof text !== 'string') throw invalid('The specified nextToken is invalid.')
  // The token has this list's scope, so this code wrote it.
  return JSON.parse(text) as Position
}

function view (event: StoredEvent): FilteredLogEvent {
  return {
    logStreamName: event.stream,
    timestamp: event.at,
    message: event.message,
    ingestionTime: event.at + INGESTION_MS,
    eventId: event.id
  }
}
