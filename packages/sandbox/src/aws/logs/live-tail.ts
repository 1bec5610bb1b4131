import type { LiveTailSessionLogEvent, StartLiveTailRequest } from '@aws-sdk/client-cloudwatch-logs'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { invalid } from '../core/errors.js'
import { operation, type Call } from '../core/operation.js'
import { RawAnswer } from '../server/http.js'
import { eventFrame, exceptionFrame } from '../../event-stream.js'
import { requireReadable } from './lookup.js'
import { parsePattern, type Matcher } from './pattern.js'
import { INGESTION_MS, readStreams } from './read.js'
import type { LogGroupState, LogStreamState } from './state.js'

const UPDATE_MS = 1000
const SESSION_MS = 3 * 3600 * 1000
const EVENTS_PER_UPDATE = 500

export const liveTailOperations = {
  StartLiveTail: operation('logs:StartLiveTail', startLiveTail, ({ input }) => input.logGroupIdentifiers?.[0] ?? '*')
}

function startLiveTail (call: Call<StartLiveTailRequest>): RawAnswer {
  const { region, input } = call
  const ids = input.logGroupIdentifiers ?? []
  if (ids.length === 0 || ids.length > 10) throw invalid('logGroupIdentifiers must have 1 to 10 elements.')
  const streamsGiven = input.logStreamNames ?? input.logStreamNamePrefixes
  if (streamsGiven && ids.length > 1) throw invalid('Log streams can be specified for one log group only.')
  const groups = ids.map((id) => requireReadable(region, { logGroupIdentifier: id }, 'StartLiveTail'))
  const frames = session(call, groups, parsePattern(input.logEventFilterPattern))
  return new RawAnswer(200, { 'content-type': 'application/vnd.amazon.eventstream' }, Readable.from(frames))
}

async function * session (
  call: Call<StartLiveTailRequest>, groups: LogGroupState[], matches: Matcher
): AsyncGenerator<Buffer, void> {
  const { clock, ids } = call.world
  yield eventFrame('initial-response', {})
  yield eventFrame('sessionStart', { requestId: call.requestId, sessionId: ids.uuid(), ...call.input })
  const startedAt = clock.now()
  let seen = startedAt
  while (clock.now() - startedAt < SESSION_MS) {
    await delay(UPDATE_MS, undefined, { ref: false })
    clock.settle()
    const until = clock.now() - INGESTION_MS
    const range = { from: seen + 1 - INGESTION_MS, to: until }
    const events = groups.flatMap((group) => eventsOf(group, call.input, range, matches))
    seen = until + INGESTION_MS
    yield eventFrame('sessionUpdate', {
      sessionMetadata: { sampled: events.length > EVENTS_PER_UPDATE },
      sessionResults: events.slice(0, EVENTS_PER_UPDATE)
    })
  }
  yield exceptionFrame('SessionTimeoutException', 'The session has timed out.')
}

function eventsOf (
  group: LogGroupState, input: StartLiveTailRequest, range: { from: number, to: number }, matches: Matcher
): LiveTailSessionLogEvent[] {
  const streams = [...group.streams.values()].filter((one) => isWanted(one, input))
  return [...readStreams(streams, range)].filter((event) => matches(event.message)).map((event) => ({
    logStreamName: event.stream,
    logGroupIdentifier: group.arn,
    message: event.message,
    timestamp: event.at,
    ingestionTime: event.at + INGESTION_MS
  }))
}

function isWanted ({ name }: LogStreamState, input: StartLiveTailRequest): boolean {
  return (!input.logStreamNames || input.logStreamNames.includes(name)) &&
    (!input.logStreamNamePrefixes || input.logStreamNamePrefixes.some((prefix) => name.startsWith(prefix)))
}
