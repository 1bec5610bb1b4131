import { EventEmitter } from 'node:events'
import fp from 'fastify-plugin'
import type { FastifyBaseLogger } from 'fastify'
import { insertEvents, notifyStream, type EventRow } from '../db/stream-events.js'
import type { Db, OpenDatabase } from '../db/index.js'
import { Channel, Unstored } from '../lib/streams/channel.js'
import { readStream, type Reader, type Source } from '../lib/streams/reader.js'
import { Watch } from '../lib/durable/watch.js'
import { messageOf } from '../schemas/unknown.js'

/** How long text may wait for being stored that another instance reads, or of which there is much. */
const soonMs = 50
/** The same of all other text: many rows of a token each become one, and who reads here has it already. */
const laterMs = 1_000
/** UTF-16 units; a writer stops at more (see `maxUnstored` of runs). */
const muchText = 8_192
const hintMs = 100
const interestMs = 10_000

/** Streams of events that are rows: written by one process at a time, read from any. */
export class Streams {
  readonly #channels = new Map<string, Channel>()
  readonly #soon = this.#unstored(soonMs)
  readonly #later = this.#unstored(laterMs)
  readonly #hints = new EventEmitter().setMaxListeners(0)
  /** Streams of ours that another instance reads: until when, and the position of its last notification. */
  readonly #readElsewhere = new Map<string, { until: number; hinted: number }>()
  /** Streams that we read and another instance writes: when we last announced it. */
  readonly #announced = new Map<string, number>()
  readonly #hinting = new Watch(async () => {
    this.#sendHints()
    return this.#announced.size + this.#readElsewhere.size > 0 ? hintMs : Infinity
  }, (error) => this.#warn(error))

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
    const left = [...await this.#soon.stop(), ...await this.#later.stop()]
    for (const channel of new Set(left)) await this.#flush(channel)
  }

  /** Opens a stream for writing, from the position of its last stored event on. */
  open (workspaceId: string, streamId: string, position: number): Channel {
    const onClose = () => {
      if (this.#channels.get(streamId) === channel) this.#channels.delete(streamId)
      this.#readElsewhere.delete(streamId)
      this.#hints.emit(streamId)
    }
    const channel: Channel = new Channel(workspaceId, streamId, position, (touched) => this.#touch(touched), onClose)
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

  #unstored (ms: number): Unstored {
    const warn = (error: unknown) =>
      this.log.warn({ reason: messageOf(error) }, 'text of streams could not be stored; trying again')
    return new Unstored(ms, (channels) => this.#store(channels), warn)
  }

  /** Text is stored with that of other streams. */
  #touch (channel: Channel): void {
    const isWaitedFor = this.#readElsewhere.has(channel.id) || channel.pendingUnits > muchText
    ;(isWaitedFor ? this.#soon : this.#later).add(channel)
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
        if (!channel.closed) this.#later.add(channel)
      }
      throw error
    })
    for (const { channel } of taken) channel.storeUntil(inserted)
    await inserted
  }

  #onNotify (payload: string): void {
    const [kind, streamId = ''] = payload.split(' ')
    const channel = this.#channels.get(streamId)
    if (kind === 'event') this.#hints.emit(streamId)
    else if (channel) {
      if (this.#later.delete(channel)) this.#soon.add(channel)
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
