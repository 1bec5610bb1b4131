import type { EventRow } from '../../db/stream-events.js'
import { fitFrame } from './fit-frame.js'

/**
 * Positions: a `content` event is as long as its text in UTF-16 units, any other event is 1 long; an event's position
 * is that of its last unit. So a reader can be put back into the middle of a text, whatever its frames were.
 */
export class LiveEvent {
  #frame?: string
  #stored?: string

  constructor (
    readonly streamId: string,
    readonly event: string,
    readonly data: Record<string, unknown>,
    readonly start: number,
    readonly end: number
  ) {}

  /**
   * The event as an SSE frame; one line of JSON, whose `type` is the event's name. The id comes last: a client that
   * takes it as soon as it reads it, and not with the whole event, would resume after an event that it has not got.
   */
  get frame (): string {
    this.#frame ??= `event: ${this.event}\ndata: ${this.json}\nid: ${this.streamId}:${this.end}\n\n`
    return this.#frame
  }

  /**
   * The payload with its type in front: the text that is stored, written once for both; what is larger than a frame
   * is stored whole and sent cut. A text is split where it is appended, so that its positions hold.
   */
  get json (): string {
    const rest = (this.event === 'content' ? this.#text : fitFrame(this.data, this.#text)).slice(1)
    return `{"type":${JSON.stringify(this.event)}${rest === '}' ? '' : ','}${rest}`
  }

  get #text (): string {
    this.#stored ??= JSON.stringify(this.data)
    return this.#stored
  }

  get isFinal (): boolean {
    return this.event === 'done' && this.data.final === true
  }

  /** @returns what follows the position: the event itself, the rest of its text, or nothing */
  after (position: number): LiveEvent | undefined {
    if (position <= this.start) return this
    if (position >= this.end) return undefined
    const text = String(this.data.text).slice(position - this.start)
    return new LiveEvent(this.streamId, this.event, { ...this.data, text }, position, this.end)
  }

  row (workspaceId: string): EventRow {
    const { streamId: stream_id, end: position, event } = this
    return { workspace_id: workspaceId, stream_id, position, event, data: this.#text }
  }
}

export const lengthOf = (event: string, data: Record<string, unknown>): number =>
  event === 'content' && typeof data.text === 'string' && data.text.length > 0 ? data.text.length : 1

export const fromStored = (
  streamId: string,
  stored: { position: number; event: string; data: Record<string, unknown> }
) =>
  new LiveEvent(
    streamId,
    stored.event,
    stored.data,
    stored.position - lengthOf(stored.event, stored.data),
    stored.position
  )

/** An unstored event: it has no id, so a client resumes from the last stored one. */
export const frameOf = (event: string, data: Record<string, unknown>): string => {
  const typed = { type: event, ...data }
  return `event: ${event}\ndata: ${fitFrame(typed, JSON.stringify(typed))}\n\n`
}
