import { EventEmitter } from 'node:events'
import fp from 'fastify-plugin'
import type { FastifyBaseLogger } from 'fastify'
import { insertEvents, notifyStream, type EventRow } from '../db/stream-events.js'
import type { Db, OpenDatabase } from '../db/index.js'
import { Channel } from '../lib/streams/channel.js'
import { readStream, type Reader, type Source } from '../lib/streams/reader.js'
import { Watch } from '../lib/durable/watch.js'
import { messageOf } from '../schemas/thrown.js'

const tickMs = 50
const hintMs = 100
const interestMs = 10_000

/** Streams of events that are rows: written by one process at a time, read from any. */
export class Streams {
  readonly #channels = new Map<string, Channel>()
  readonly #dirty = new Set<Channel>()
  readonly #hints = new EventEmitter().setMaxListeners(0)
  /** Streams of ours that another instance reads: until when, and the position of its last notification. */
  readonly #readElsewhere = new Map<string, { until: number; hinted: number }>()
  /** Streams that we read and another instance writes: when we last announced it. */
  readonly #announced = new Map<string, number>()
  readonly #hinting = new Watch(async () => {
    this.#sendHints()
    return this.#announced.size + this.#readElsewhere.size > 0 ? hintMs : Infinity
  }, (error) => this.#warn(error))

  #tick: NodeJS.Timeout | undefined
  /** What all readers share. */
  readonly #source: Source

  constructor (
    private readonly db: Db,
    private readonly database: OpenDatabase,
    private readonly log: FastifyBaseLogger
  ) {
    this.#source = {
      db,
      hints: this.#hints,
      channel: (streamId) => this.#channels.get(streamId),
      flush: (channel) => this.#flush(channel),
      // A writer in this process notifies; one elsewhere may fail to.
      pollMs: database.embedded ? 5_000 : 1_000,
      subscribeRemote: async (streamId) => this.#subscribeRemote(streamId),
      warn: (error) => log.warn({ reason: messageOf(error) }, 'a stream could not be read; trying again')
    }
  }

  async start (): Promise<void> {
    if (this.database.embedded) return
    await this.database.listen('steward_streams', (payload) => this.#onNotify(payload))
  }

  async stop (): Promise<void> {
    await this.#hinting.stop()
    clearTimeout(this.#tick)
    for (const channel of this.#dirty) await this.#flush(channel)
  }

  /** Opens a stream for writing, from the position of its last stored event on. */
  open (workspaceId: string, streamId: string, position: number): Channel {
    const onClose = () => {
      if (this.#channels.get(streamId) === channel) this.#channels.delete(streamId)
      this.#readElsewhere.delete(streamId)
      this.#hints.emit(streamId)
    }
    const channel: Channel = new Channel(workspaceId, streamId, position, (event) => this.#touch(event), onClose)
    this.#channels.set(streamId, channel)
    this.#hints.emit(streamId)
    return channel
  }

  /** Says that rows were added by someone who has no channel, such as a cancel of a waiting run. */
  wake (streamId: string): void {
    this.#hints.emit(streamId)
    this.#notify('event', streamId)
  }

  /** Stores rows that a writer took and shares with no other. */
  save (rows: EventRow[]): Promise<void> {
    return insertEvents(this.db, rows)
  }

  /** See `readStream`. */
  read (reader: Reader): Promise<void> {
    return readStream(this.#source, reader)
  }

  /** Text is stored with that of all other streams in the next tick. */
  #touch (channel: Channel): void {
    this.#dirty.add(channel)
    this.#tick ??= setTimeout(() => {
      void this.#onTick()
    }, tickMs)
  }

  async #onTick (): Promise<void> {
    const idle = [...this.#dirty].filter((channel) => !channel.busy)
    for (const channel of idle) this.#dirty.delete(channel)
    try {
      await this.#store(idle)
    } catch (error) {
      this.log.warn({ reason: messageOf(error) }, 'text of streams could not be stored; trying again')
    }
    this.#tick = this.#dirty.size > 0 ? setTimeout(() => { void this.#onTick() }, tickMs) : undefined
  }

  async #flush (channel: Channel): Promise<void> {
    while (channel.busy) await channel.settled()
    await this.#store([channel])
  }

  /** One statement for all the channels, none of which is being stored. */
  async #store (channels: Channel[]): Promise<void> {
    const taken = channels.map((channel) => ({ channel, rows: channel.takeRows() }))
      .filter(({ rows }) => rows.length > 0)
    if (taken.length === 0) return
    const inserted = insertEvents(this.db, taken.flatMap(({ rows }) => rows)).catch((error: unknown) => {
      for (const { channel, rows } of taken) {
        channel.putBack(rows)
        if (!channel.closed) this.#dirty.add(channel)
      }
      throw error
    })
    for (const { channel } of taken) channel.storeUntil(inserted)
    await inserted
  }

  #onNotify (payload: string): void {
    const [kind, streamId = ''] = payload.split(' ')
    if (kind === 'event') this.#hints.emit(streamId)
    else if (this.#channels.has(streamId)) {
      const hinted = this.#readElsewhere.get(streamId)?.hinted ?? -1
      this.#readElsewhere.set(streamId, { until: Date.now() + 3 * interestMs, hinted })
      this.#hinting.within(hintMs)
    }
  }

  #subscribeRemote (streamId: string): void {
    if (this.database.embedded || Date.now() - (this.#announced.get(streamId) ?? 0) < interestMs) return
    this.#announced.set(streamId, Date.now())
    this.#hinting.within(hintMs)
    this.#notify('interest', streamId)
  }

  /** At most ten times a second: a NOTIFY takes a lock of the whole database, so never one a token. */
  #sendHints (): void {
    for (const [streamId, at] of this.#announced) if (Date.now() - at > interestMs) this.#announced.delete(streamId)
    for (const [streamId, reading] of this.#readElsewhere) {
      const position = this.#channels.get(streamId)?.position
      if (position === undefined || Date.now() > reading.until) this.#readElsewhere.delete(streamId)
      else if (position !== reading.hinted) {
        reading.hinted = position
        this.#notify('event', streamId)
      }
    }
  }

  /** A hint only: readers poll, so one that fails costs a second. */
  #notify (kind: 'event' | 'interest', streamId: string): void {
    if (this.database.embedded) return
    notifyStream(this.db, `${kind} ${streamId}`).catch((error: unknown) => this.#warn(error))
  }

  #warn (error: unknown): void {
    this.log.debug({ reason: messageOf(error) }, 'hint not sent')
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    streams: Streams
  }
}

export default fp(
  async (app) => {
    const streams = new Streams(app.db, app.database, app.log)
    app.decorate('streams', streams)
    await streams.start()
    app.addHook('onClose', () => streams.stop())
  },
  { name: 'streams', dependencies: ['db'] }
)
