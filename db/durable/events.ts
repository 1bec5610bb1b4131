import type { Db } from '../index.js'
import { insertEvents } from '../stream-events.js'

export interface NewEvent { event: string, data: Record<string, unknown> }

/** A stream whose row counts its events: `last` is the count with those that are appended. */
export interface CountedStream { workspace_id: string, stream_id: string, last: number }

/**
 * Appends events to a stream, in the transaction that has counted them.
 * @param toData what is stored of an event, with its position in the stream
 */
export const appendEvents = async <E extends NewEvent>(trx: Db, { workspace_id, stream_id, last }: CountedStream,
  events: readonly E[], toData: (seq: number, event: E) => object): Promise<void> => {
  await insertEvents(trx, events.map((one, index) => {
    const position = last - events.length + index + 1
    return { workspace_id, stream_id, position, event: one.event, data: JSON.stringify(toData(position, one)) }
  }))
}
