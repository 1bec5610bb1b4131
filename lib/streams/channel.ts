import type { EventRow } from '../../db/stream-events.js'
import { Watch } from '../durable/watch.js'
import { LiveEvent, lengthOf } from './events.js'

/** Channels of one statement at most: between two of them the event loop serves others. */
const maxChannels = 256

/** Streams with text that is not stored: so long after the first of them, the text of all is stored together. */
export class Unstored {
  readonly #channels = new Set<Channel>()
  readonly #watch: Watch

  /**
   * @param ms how long text waits at most while its stream is not busy
   * @param store stores the text of these streams, and adds again what it could not store
   */
  constructor (
    private readonly ms: number,
    private readonly store: (channels: Channel[]) => Promise<void>,
    onError: (error: unknown) => void
  ) {
    this.#watch = new Watch(() => this.#look(), onError)
  }

  add (channel: Channel): void {
    if (this.#channels.size === 0) this.#watch.within(this.ms)
    this.#channels.add(channel)
  }

  delete (channel: Channel): boolean {
    return this.#channels.delete(channel)
  }

  /** @returns those that are left, when what is being stored is */
  async stop (): Promise<Channel[]> {
    await this.#watch.stop()
    return [...this.#channels]
  }

  async #look (): Promise<number> {
    const idle = [...this.#channels].filter((channel) => !channel.busy)
    for (let at = 0; at < idle.length; at += maxChannels) await this.#storeSome(idle.slice(at, at + maxChannels))
    return this.#channels.size > 0 ? this.ms : Infinity
  }

  async #storeSome (channels: Channel[]): Promise<void> {
    const waiting = channels.filter((channel) => !channel.busy && this.#channels.delete(channel))
    await this.store(waiting)
  }
}

type Listener = (event: LiveEvent) => void

export interface NewEvent { event: string, data: Record<string, unknown> }

const maxCoalesced = 1_024

/**
 * A stream that this process writes. Text is published to local readers at once and stored a while later, coalesced;
 * any other event is stored by its writer first and published after the commit.
 */
export class Channel {
  readonly #listeners = new Set<Listener>()
  #pending: LiveEvent[] = []
  /** Rows whose storing failed; they go with the next. */
  #returned: EventRow[] = []
  #position: number
  #storing: Promise<void> | undefined
  closed = false

  constructor (readonly workspaceId: string, readonly id: string, position: number,
    private readonly touch: (channel: Channel) => void, private readonly onClose: () => void) {
    this.#position = position
  }

  get position (): number { return this.#position }

  /** How much was published and is not stored. */
  get pendingUnits (): number {
    const [first] = this.#pending
    return (first ? this.#position - first.start : 0) + this.#returned.length * maxCoalesced
  }

  listen (listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => { this.#listeners.delete(listener) }
  }

  /** Publishes a piece of text at once. */
  content (messageId: string, text: string): void {
    const start = this.#position
    this.#position += text.length
    const event = new LiveEvent(this.id, 'content', { message_id: messageId, text }, start, this.#position)
    this.#keep(event, messageId)
    this.touch(this)
    for (const listener of this.#listeners) listener(event)
  }

  /**
   * Positions events after all that was published, lets the caller store them together with the text not stored yet, in
   * a transaction of its own, and then publishes them. Nothing else may be written in between.
   * @param store answers whether it stored; if not, nothing is published
   */
  async write (events: readonly NewEvent[], store: (rows: EventRow[], position: number) => Promise<boolean>):
  Promise<boolean> {
    while (this.#storing) await this.#storing
    const pending = this.takeRows()
    const live = this.#assignPositions(events)
    const end = live.at(-1)?.end ?? this.#position
    const stored = store([...pending, ...live.map((event) => event.row(this.workspaceId))], end)
    this.storeUntil(stored)
    if (!await stored) return false
    this.#position = end
    for (const event of live) for (const listener of this.#listeners) listener(event)
    return true
  }

  /** @returns rows of the text that was published and not stored; the caller owns them now */
  takeRows (): EventRow[] {
    const rows = [...this.#returned, ...this.#pending.map((event) => event.row(this.workspaceId))]
    this.#returned = []
    this.#pending = []
    return rows
  }

  /** Whether rows of this stream are being stored. What is stored next waits, so rows become visible in their order. */
  get busy (): boolean {
    return this.#storing !== undefined
  }

  /** Resolves when what is being stored is; another writer may store already then, so ask `busy` again. */
  async settled (): Promise<void> {
    await this.#storing
  }

  /** Says that rows taken are being stored, until the promise settles. */
  storeUntil (stored: Promise<unknown>): void {
    const settle = () => { this.#storing = undefined }
    this.#storing = stored.then(settle, settle)
  }

  /** Takes back rows that could not be stored. */
  putBack (rows: EventRow[]): void {
    this.#returned = [...rows, ...this.#returned]
  }

  close (): void {
    this.closed = true
    this.#listeners.clear()
    this.onClose()
  }

  #assignPositions (events: readonly NewEvent[]): LiveEvent[] {
    let end = this.#position
    return events.map(({ event, data }) => {
      const start = end
      end += lengthOf(event, data)
      return new LiveEvent(this.id, event, data, start, end)
    })
  }

  #keep (event: LiveEvent, messageId: string): void {
    const last = this.#pending.at(-1)
    if (last && last.data.message_id === messageId && last.end - last.start < maxCoalesced) {
      const text = String(last.data.text) + String(event.data.text)
      this.#pending[this.#pending.length - 1] =
        new LiveEvent(this.id, 'content', { message_id: messageId, text }, last.start, event.end)
    } else this.#pending.push(event)
  }
}
