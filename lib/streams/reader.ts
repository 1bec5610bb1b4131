import type { EventEmitter } from 'node:events'
import { listEvents } from '../../db/stream-events.js'
import type { Db } from '../../db/index.js'
import { DatabaseUnavailable } from '../../schemas/errors.js'
import type { Channel } from './channel.js'
import { fromStored, type LiveEvent } from './events.js'

const pageRows = 500
/** For so long a stream outlives that the database does not answer: longer than a standby takes to be promoted. */
const patienceMs = 60_000

export interface Reader {
  workspaceId: string
  streamId: string
  /** Position of the last event the reader holds. */
  after: number
  signal: AbortSignal
  onEvent: (event: LiveEvent) => void
}

export interface Source {
  db: Db
  /** Emits a stream's id when it may have news, was opened or closed here. */
  hints: EventEmitter
  channel: (streamId: string) => Channel | undefined
  flush: (channel: Channel) => Promise<void>
  /** How long a read of the table may be put off. */
  pollMs: number
  /** How long it goes on while no read succeeds; 60 s if not said. */
  patienceMs?: number
  /** Notifies the stream's writer, wherever it is, that this instance reads it. */
  subscribeRemote: (streamId: string) => Promise<void>
  warn: (error: unknown) => void
}

/** One reader of one stream: from the table, then live, and back when the writer changes. */
class Reading {
  #sent: number
  #ended = false
  #failingSince: number | undefined
  #onTurn = () => {}

  constructor (private readonly source: Source, private readonly reader: Reader) {
    this.#sent = reader.after
  }

  async run (): Promise<void> {
    const { signal, streamId, workspaceId } = this.reader
    while (!this.#ended && !signal.aborted) {
      const channel = this.source.channel(streamId)
      try {
        if (channel?.workspaceId === workspaceId) await this.#live(channel)
        else await this.#stored()
      } catch (error) {
        // One line for each stream and outage, not for each attempt.
        if (this.#failingSince === undefined) this.source.warn(error)
        this.#failingSince ??= Date.now()
        if (Date.now() - this.#failingSince >= (this.source.patienceMs ?? patienceMs)) {
          throw DatabaseUnavailable('The database of this workspace does not answer; go on from here later')
        }
        await this.#news()
      }
    }
  }

  #deliver (event: LiveEvent): void {
    const rest = this.#ended || this.reader.signal.aborted ? undefined : event.after(this.#sent)
    if (!rest) return
    this.#sent = rest.end
    this.#ended = rest.isFinal
    this.reader.onEvent(rest)
    if (this.#ended) this.#onTurn()
  }

  async #live (channel: Channel): Promise<void> {
    let early: LiveEvent[] | undefined = []
    const unlisten = channel.listen((event) => { if (early) early.push(event); else this.#deliver(event) })
    try {
      if (channel.position > this.#sent) {
        await this.source.flush(channel)
        await this.#replay()
      }
      for (const event of early) this.#deliver(event)
      early = undefined
      while (!this.#ended && !channel.closed && !this.reader.signal.aborted) await this.#turn()
    } finally {
      unlisten()
    }
  }

  async #stored (): Promise<void> {
    const news = this.#news()
    await this.source.subscribeRemote(this.reader.streamId)
    await this.#replay()
    if (!this.#ended) await news
  }

  async #replay (): Promise<void> {
    const { workspaceId, streamId, signal } = this.reader
    for (;;) {
      const rows = await listEvents(this.source.db, workspaceId, streamId, this.#sent, pageRows)
      this.#failingSince = undefined
      for (const row of rows) this.#deliver(fromStored(streamId, row))
      if (rows.length < pageRows || signal.aborted || this.#ended) return
    }
  }

  /** Resolves when something about the stream changed here: opened, closed, hinted, ended, or the reader left. */
  #turn (timeoutMs?: number): Promise<void> {
    const { streamId, signal } = this.reader
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.source.hints.off(streamId, done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = timeoutMs === undefined ? undefined : setTimeout(done, timeoutMs)
      this.#onTurn = done
      this.source.hints.on(streamId, done)
      signal.addEventListener('abort', done)
    })
  }

  #news (): Promise<void> {
    return this.#turn(this.source.pollMs)
  }
}

/**
 * Calls back for every event after the position, stored or live, in order, with no gap and no repeat.
 * Resolves after the final `done`, or when the signal aborts. @throws database_unavailable when nothing could be read
 * for a minute
 */
export const readStream = (source: Source, reader: Reader): Promise<void> => new Reading(source, reader).run()
