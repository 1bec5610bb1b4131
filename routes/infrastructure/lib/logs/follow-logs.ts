import { setTimeout as sleep } from 'node:timers/promises'
import { fitFrame } from '../../../../lib/streams/fit-frame.js'
import type { Sink } from '../../../../lib/streams/open-streams.js'
import { ApiError } from '../../../../schemas/errors.js'
import type { LogEvent, LogRequest } from '../../../../schemas/infrastructure/logs.js'
import { readNewer, readOlder, type Logs, type NewerKey, type Paged } from './page-logs.js'
import type { Deps } from '../sources.js'

const pauseMs = 2_000
const longestMs = 30 * 60_000

const frame = (event: string, data: object, id?: string): string => {
  const typed = { type: event, ...data }
  const last = id === undefined ? '' : `id: ${id}\n`
  return `event: ${event}\ndata: ${fitFrame(typed, JSON.stringify(typed))}\n${last}\n`
}

/** Only the last line of a batch carries an id, so that resuming neither loses nor repeats a line. */
const framesOf = (items: LogEvent[], id: string): string =>
  items.map((item, index) => frame('log', item, index === items.length - 1 ? id : undefined)).join('')

const problem = (error: ApiError) => frame('error',
  { code: error.code, message: error.message, retryable: error.statusCode >= 500 })

/**
 * Sends lines as they come, until the client leaves, for 30 minutes at most. Each poll reads some seconds of the past
 * again, since CloudWatch ingests lines out of order, and sends each line once.
 */
export const followLogs = async (deps: Deps, logs: Logs, input: LogRequest, start: NewerKey | undefined,
  encode: (key: NewerKey) => string, sink: Sink): Promise<void> => {
  const end = Date.now() + longestMs
  let key = start
  const send = (paged: Paged) => {
    key = paged.newer
    if (paged.items.length > 0) sink.write(framesOf(paged.items, encode(paged.newer)))
  }
  while (!sink.signal.aborted && Date.now() < end) {
    try {
      send(key ? await readNewer(deps, logs, input, key) : await readOlder(deps, logs, input))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      sink.write(problem(error))
      if (error.statusCode < 500) return
    }
    await sleep(pauseMs, undefined, { signal: sink.signal }).catch(() => undefined)
  }
  if (!sink.signal.aborted) sink.write(frame('end', { reason: 'time_limit' }))
}
