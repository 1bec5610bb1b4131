import type { EventRow } from '../../db/stream-events.js'
import { fieldsOf } from '../../schemas/unknown.js'

/** Keeps head and tail, and says how much is missing. */
export const cutText = (text: string, maxBytes: number): string => {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  const half = Math.floor((maxBytes - 80) / 2)
  const left = bytes.length - 2 * half
  const head = bytes.subarray(0, half).toString('utf8')
  const tail = bytes.subarray(-half).toString('utf8')
  return `${head}\n… ${left} bytes left out; ask for less (filters, limit, next page) …\n${tail}`.toWellFormed()
}

/** What a frame of a stream may have: proxies and clients hold one line of it whole. */
export const maxFrameBytes = 65_536
/** The id, the event's name and what stands around them. */
const aroundBytes = 1_024

type Data = Record<string, unknown>

const fits = (text: string): boolean =>
  // No unit of UTF-16 has more than three bytes, so most are not counted.
  text.length * 3 <= maxFrameBytes - aroundBytes || Buffer.byteLength(text) <= maxFrameBytes - aroundBytes

const shorten = (value: unknown, bytes: number, items: number): unknown => {
  if (typeof value === 'string') return cutText(value, bytes)
  if (Array.isArray(value)) return value.slice(0, items).map((item) => shorten(item, bytes, items))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item, bytes, items)]))
}

const isSmall = (value: unknown) =>
  typeof value === 'string' ? value.length <= 256 : value === null || typeof value !== 'object'

/** Bytes a text, and items a list, may have, one try after the other. */
const tries = [[16_384, 1_000], [4_096, 200], [1_024, 50], [256, 20]] as const

/**
 * @param text the data as JSON
 * @returns the text, or a shorter one that fits into a frame: `truncated` says so, and the API has the whole
 */
export const fitFrame = (data: Data, text: string): string => {
  if (fits(text)) return text
  for (const [bytes, items] of tries) {
    const cut = JSON.stringify({ ...fieldsOf(shorten(data, bytes, items)), truncated: true })
    if (fits(cut)) return cut
  }
  const small = Object.entries(data).filter(([, value]) => isSmall(value))
  return JSON.stringify({ ...Object.fromEntries(small), truncated: true })
}

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
