import type { FastifyReply } from 'fastify'
import type { Streams } from '../../plugins/streams.js'
import { principalKey, type Principal } from '../security/principal.js'
import type { LiveEvent } from './events.js'

const maxUnsentBytes = 1_048_576

/** A comment, which clients pass over: what stands between them and Steward sees that the stream lives. */
const heartbeat = ': heartbeat\n\n'

/** Why a stream's signal aborts: one for all, as an error that is made takes the stack of its maker along. */
const left = new DOMException('The stream has ended', 'AbortError')

/** One open stream to one client. */
export interface Sink {
  /** Aborts when the client leaves, the server stops, or the stream is complete. */
  signal: AbortSignal
  /**
   * Writes whole frames. A client that does not read is dropped: it resumes from the last id it holds.
   * @param first whether they are sent before the caller's next step; else as soon as that waits for something
   */
  write: (frames: string, first?: boolean) => void
  /** Says that nothing follows: what is written is sent, and whoever waits by the signal is let go. */
  end: () => void
}

/** The socket's side of a stream: frames of one turn of the event loop are one write. */
export class OpenStream implements Sink {
  readonly #leave = new AbortController()
  readonly signal = this.#leave.signal
  readonly end = () => this.#leave.abort(left)
  #held = ''
  #isQuiet = false
  #isFirst = false

  /** @param flushSoon has `flush` called before the event loop goes on */
  constructor (private readonly raw: FastifyReply['raw'], private readonly flushSoon: (stream: OpenStream) => void) {
    raw.once('close', this.end)
  }

  write (frames: string, first = false): void {
    if (this.#held === '') this.flushSoon(this)
    this.#held += frames
    this.#isQuiet = false
    this.#isFirst ||= first
  }

  flush (): void {
    if (this.#held === '' || this.raw.destroyed) return
    this.raw.write(this.#held)
    // Node holds it back until all promises that can settle have.
    if (this.#isFirst) this.raw.socket?.uncork()
    this.#held = ''
    this.#isFirst = false
    if (this.raw.writableLength > maxUnsentBytes) this.raw.destroy()
  }

  /** Shows that the stream lives, where nothing was written since this was last asked for. */
  beat (): void {
    if (this.#isQuiet) this.write(heartbeat)
    this.#isQuiet = true
  }

  close (): void {
    this.flush()
    this.raw.off('close', this.end)
  }
}

const personOf = ({ workspace_id: workspaceId, user_id: userId }: Principal): string => `${workspaceId} ${userId}`
const keyOf = (principal: Principal): string => `${principal.workspace_id} ${principalKey(principal)}`

/** The streams that are open, by principal; how many, by person: another token or session is not another person. */
export class OpenStreams {
  total = 0
  #isStopped = false
  #unsent: OpenStream[] = []
  readonly #open = new Map<string, { principal: Principal, streams: Set<OpenStream> }>()
  readonly #countByUser = new Map<string, number>()

  /** @param onOpen is called for each stream */
  constructor (private readonly onOpen: () => void) {}

  countOf (principal: Principal): number {
    return this.#countByUser.get(personOf(principal)) ?? 0
  }

  open (principal: Principal, raw: FastifyReply['raw']): OpenStream {
    const stream = new OpenStream(raw, this.#flushSoon)
    const key = keyOf(principal)
    const entry = this.#open.get(key) ?? { principal, streams: new Set() }
    this.#open.set(key, entry)
    entry.streams.add(stream)
    this.#count(principal, 1)
    this.onOpen()
    if (this.#isStopped) stream.end()
    return stream
  }

  remove (principal: Principal, stream: OpenStream): void {
    const entry = this.#open.get(keyOf(principal))
    if (!entry?.streams.delete(stream)) return
    this.#count(principal, -1)
    if (entry.streams.size === 0) this.#open.delete(keyOf(principal))
  }

  byWorkspace (): Map<string, Principal[]> {
    const found = new Map<string, Principal[]>()
    for (const { principal } of this.#open.values()) {
      const { workspace_id: workspaceId } = principal
      found.set(workspaceId, [...found.get(workspaceId) ?? [], principal])
    }
    return found
  }

  /** Ends the streams of a principal who may not read any more. */
  end (principal: Principal): void {
    for (const stream of this.#open.get(keyOf(principal))?.streams ?? []) stream.end()
  }

  /** One timer for the heartbeats of all streams. */
  beat (): void {
    for (const { streams } of this.#open.values()) for (const stream of streams) stream.beat()
  }

  /** Ends all, and each that comes yet. */
  stop (): void {
    this.#isStopped = true
    for (const { streams } of this.#open.values()) for (const stream of streams) stream.end()
  }

  /** All that was written in one turn of the event loop goes after it, to whomever it goes. */
  readonly #flushSoon = (stream: OpenStream): void => {
    if (this.#unsent.push(stream) === 1) queueMicrotask(this.#flush)
  }

  readonly #flush = (): void => {
    const unsent = this.#unsent
    this.#unsent = []
    for (const stream of unsent) stream.flush()
  }

  #count (principal: Principal, change: 1 | -1): void {
    this.total += change
    const person = personOf(principal)
    const count = (this.#countByUser.get(person) ?? 0) + change
    if (count > 0) this.#countByUser.set(person, count)
    else this.#countByUser.delete(person)
  }
}

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
