import type { Sink } from './open-streams.js'
import type { LiveEvent } from './events.js'
import type { Streams } from '../../plugins/streams.js'

/** A stream that is read from a position on, up to the event that ends what is followed. */
export interface Followed {
  workspaceId: string
  streamId: string
  after: number
  isEnd: (event: LiveEvent) => boolean
}

/** @returns the position after which a client goes on: the id it holds, else `after` */
export const positionOf = (lastEventId: string | undefined, after = 0): number =>
  lastEventId !== undefined && /^[0-9]{1,15}$/.test(lastEventId) ? Number(lastEventId) : after

/** Sends what happens to one client; the frames' ids are positions, so it goes on where it broke. */
export const sendStream = (streams: Pick<Streams, 'read'>, { isEnd, ...source }: Followed, sink: Sink): Promise<void> =>
  streams.read({
    ...source,
    signal: sink.signal,
    onEvent: (event) => {
      sink.write(`event: ${event.event}\ndata: ${event.json}\nid: ${event.end}\n\n`)
      if (isEnd(event)) sink.end()
    }
  })

/** Waits for the end, or for so long. */
export const waitForEnd = async (streams: Pick<Streams, 'read'>, { isEnd, ...source }: Followed, ms: number):
Promise<void> => {
  const enough = new AbortController()
  const timer = setTimeout(() => enough.abort(), ms)
  try {
    await streams.read({ ...source, signal: enough.signal, onEvent: (event) => { if (isEnd(event)) enough.abort() } })
  } finally {
    clearTimeout(timer)
  }
}

const defaultWait = 10
const maxWait = 60

/** @returns how many seconds a Prefer header asks to wait */
export const waitOf = (prefer: string | undefined): number => {
  if (/\brespond-async\b/.test(prefer ?? '')) return 0
  const asked = /\bwait=(\d{1,4})\b/.exec(prefer ?? '')?.[1]
  return asked === undefined ? defaultWait : Math.min(maxWait, Number(asked))
}
