import type { Sink } from '../../../plugins/sse.js'
import type { LiveEvent } from '../../../plugins/stream-events.js'
import { endEvents } from '../../../schemas/pse/events.js'
import type { Deps } from './deps.js'

/** @returns the position after which a client goes on */
export const positionOf = (lastEventId: string | undefined): number =>
  lastEventId !== undefined && /^[0-9]{1,15}$/.test(lastEventId) ? Number(lastEventId) : 0

type Streams = Pick<Deps, 'streams'>

export interface Following {
  workspace_id: string
  session_id: string
  /** The one whose end ends the stream; null = it ends with what has been told already. */
  generation_id: string | null
  /** Position of the last event there was. */
  until?: number
  after: number
}

const ends = ({ generation_id: id, until = 0 }: Following, { end, event, data }: LiveEvent): boolean =>
  id === null ? end >= until : endEvents.includes(event) && data.generation_id === id

/** Sends what happens in a session to one client, from a position on, until the generation ends. */
export const followSession = async ({ streams }: Streams, following: Following, sink: Sink): Promise<void> => {
  const enough = new AbortController()
  await streams.read({
    workspaceId: following.workspace_id,
    streamId: following.session_id,
    after: following.after,
    signal: AbortSignal.any([enough.signal, sink.signal]),
    onEvent: (event) => {
      sink.write(`id: ${event.end}\nevent: ${event.event}\ndata: ${event.json}\n\n`)
      if (ends(following, event)) enough.abort()
    }
  })
}

/** Waits until the generation has ended, or for so long. */
export const waitForEnd = async ({ streams }: Streams, following: Following, ms: number): Promise<void> => {
  const enough = new AbortController()
  const timer = setTimeout(() => enough.abort(), ms)
  await streams.read({
    workspaceId: following.workspace_id,
    streamId: following.session_id,
    after: following.after,
    signal: enough.signal,
    onEvent: (event) => { if (ends(following, event)) enough.abort() }
  })
  clearTimeout(timer)
}

const defaultWait = 10
const maxWait = 60

/** @returns how many seconds the header asks to wait */
export const waitOf = (prefer: string | undefined): number => {
  if (/\brespond-async\b/.test(prefer ?? '')) return 0
  const asked = /\bwait=(\d{1,4})\b/.exec(prefer ?? '')?.[1]
  return asked === undefined ? defaultWait : Math.min(maxWait, Number(asked))
}
