import { chance } from '../core/ids.js'
import { chatterLine } from './chatter.js'
import type { LogChatter, LogStreamState } from './state.js'

/** The time at which a line becomes readable. */
export const INGESTION_MS = 150

export interface StoredEvent {
  id: string
  at: number
  message: string
  stream: string
  key: Position
}

/** The position of an event in its group: a total order, the same for every reader. */
export type Position = [at: number, stream: string, sequence: number]

/** Both ends are included. */
export interface Range { from: number; to: number }

/** Compares two positions for sorting. */
export function byPosition (a: Position, b: Position): number {
  return a[0] - b[0] || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : a[2] - b[2])
}

/** Yields the events of several streams in order of time, oldest or newest first. */
export function * readStreams (
  streams: LogStreamState[], range: Range, newestFirst = false
): Generator<StoredEvent, void> {
  const sign = newestFirst ? -1 : 1
  const heads = streams.map((stream) => readStream(stream, range, newestFirst))
    .flatMap((reader) => head(reader))
  while (heads.length > 0) {
    let best = heads[0]!
    for (const one of heads) if (sign * byPosition(one.event.key, best.event.key) < 0) best = one
    yield best.event
    const next = best.reader.next()
    if (next.done) heads.splice(heads.indexOf(best), 1)
    else best.event = next.value
  }
}

function head (reader: Generator<StoredEvent, void>) {
  const first = reader.next()
  return first.done ? [] : [{ reader, event: first.value }]
}

/** Merges the written lines and the chatter of one stream. Chatter is computed only as it is read. */
function * readStream (stream: LogStreamState, range: Range, newestFirst: boolean): Generator<StoredEvent, void> {
  const sign = newestFirst ? -1 : 1
  const written = writtenEvents(stream, range)
  if (newestFirst) written.reverse()
  const spoken = chatterEvents(stream, range, newestFirst)
  let next = spoken.next()
  for (const event of written) {
    while (!next.done && sign * byPosition(next.value.key, event.key) < 0) {
      yield next.value
      next = spoken.next()
    }
    yield event
  }
  while (!next.done) {
    yield next.value
    next = spoken.next()
  }
}

function writtenEvents (stream: LogStreamState, range: Range): StoredEvent[] {
  return stream.lines
    .map((line, index) => makeEvent(stream.name, line.at, index, line.message))
    .filter((event) => event.at >= range.from && event.at <= range.to)
}

function * chatterEvents (stream: LogStreamState, range: Range, newestFirst: boolean): Generator<StoredEvent, void> {
  const { chatter } = stream
  if (!chatter) return
  const [first, last] = chatterCounts(chatter, range)
  for (let i = 0; i <= last - first; i++) {
    const count = newestFirst ? last - i : first + i
    const message = chatterLine(chatter.voice, stream.name, count)
    // Written lines are numbered from 0; chatter far above them, so that no two events share a position.
    yield makeEvent(stream.name, chatter.from + count * chatter.everyMs, 1_000_000 + count, message)
  }
}

function chatterCounts (chatter: LogChatter, range: Range): [first: number, last: number] {
  const until = Math.min(range.to, chatter.until ?? Infinity)
  const first = Math.max(0, Math.ceil((range.from - chatter.from) / chatter.everyMs))
  return [first, Math.floor((until - chatter.from) / chatter.everyMs)]
}

function makeEvent (stream: string, at: number, sequence: number, message: string): StoredEvent {
  const hash = Math.floor(chance(stream) * 1e12).toString().padStart(12, '0')
  const id = `3${String(at).padStart(15, '0')}${hash}${String(sequence).padStart(28, '0')}`
  return { id, at, message, stream, key: [at, stream, sequence] }
}
