import type { GetLogEventsRequest, GetLogEventsResponse } from '@aws-sdk/client-cloudwatch-logs'
import { invalid } from '../core/errors.js'
import { operation, type Call } from '../core/operation.js'
import { pageSize, tokenPosition, writeToken } from '../core/paging.js'
import { groupArn, requireReadable, requireStream } from './lookup.js'
import { byPosition, INGESTION_MS, readStreams, type Position, type Range, type StoredEvent } from './read.js'
import type { LogStreamState } from './state.js'

const MAX_EVENTS = 10_000

export const getEventsOperations = {
  GetLogEvents: operation('logs:GetLogEvents', getLogEvents,
    ({ region, input }) => groupArn(region, input) + (input.logStreamName ?? ''))
}

function getLogEvents ({ region, input, now }: Call<GetLogEventsRequest>): GetLogEventsResponse {
  const group = requireReadable(region, input, 'GetLogEvents')
  const stream = requireStream(group, input.logStreamName)
  const limit = pageSize(input.limit, { fallback: MAX_EVENTS, max: MAX_EVENTS, error: invalid })
  const scope = `${group.name}/${stream.name}`
  // Unlike FilterLogEvents this operation excludes its end.
  const range = { from: input.startTime ?? 0, to: Math.min((input.endTime ?? Infinity) - 1, now - INGESTION_MS) }
  const token = input.nextToken === undefined ? undefined : readToken(input.nextToken, scope)
  const backward = token ? token.direction === 'b' : input.startFromHead !== true
  const events = take(stream, range, { backward, start: token?.position, limit })
  return {
    events: events.map(({ at, message }) => ({ timestamp: at, message, ingestionTime: at + INGESTION_MS })),
    nextForwardToken: tokenFor('f', events.at(-1)?.key ?? token?.position ?? edge(range, stream, !backward), scope),
    nextBackwardToken: tokenFor('b', events[0]?.key ?? token?.position ?? edge(range, stream, !backward), scope)
  }
}

function take (
  stream: LogStreamState, range: Range,
  { backward, start, limit }: { backward: boolean, start: Position | undefined, limit: number }
): StoredEvent[] {
  const bounded = { ...range }
  if (start && backward) bounded.to = Math.min(range.to, start[0])
  else if (start) bounded.from = Math.max(range.from, start[0])
  const events: StoredEvent[] = []
  for (const event of readStreams([stream], bounded, backward)) {
    const order = start ? byPosition(event.key, start) : 0
    if (start && (order === 0 || (order < 0) !== backward)) continue
    if (events.length >= limit) break
    events.push(event)
  }
  return backward ? events.reverse() : events
}

/** At the end of a stream the response repeats the request's token. */
function tokenFor (direction: 'f' | 'b', position: Position, scope: string): string {
  return `${direction}/${writeToken(scope, JSON.stringify(position))}/s`
}

function edge (range: Range, stream: LogStreamState, atStart: boolean): Position {
  const at = atStart ? range.from : range.to
  return [Number.isFinite(at) ? at : 0, stream.name, -1]
}

function readToken (token: string, scope: string): { direction: string, position: Position } {
  const [direction = '', code = ''] = token.split('/')
  const text = tokenPosition(code, scope)
  if (!['f', 'b'].includes(direction) || typeof text !== 'string') throw invalid('The specified nextToken is invalid.')
  // The token has this list's scope, so this code wrote it.
  return { direction, position: JSON.parse(text) as Position }
}
