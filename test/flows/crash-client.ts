import { createParser } from 'eventsource-parser'
import { asAdmin } from '../app.js'

export interface Seen {
  id: string | undefined
  event: string
  data: Record<string, unknown>
}

/** What a person's client holds of one run: it may lose the connection at any moment and join again. */
export class Follower {
  readonly seen: Seen[] = []
  sessionId = ''
  #onSeen = () => {}

  constructor (readonly url: string) {}

  get lastId (): string | undefined {
    return this.seen.findLast(({ id }) => id !== undefined)?.id
  }

  find (event: string, fits: (data: Record<string, unknown>) => boolean = () => true): Seen | undefined {
    return this.seen.find((one) => one.event === event && fits(one.data))
  }

  /** @returns the first event that fits, as soon as it is there */
  async until (event: string, fits?: (data: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    for (;;) {
      const found = this.find(event, fits)
      if (found) return found.data
      await new Promise<void>((resolve) => { this.#onSeen = resolve })
    }
  }

  /** Says something. @returns the end of the stream, whether it was ended or cut */
  async chat (message: string): Promise<{ status: number, end: Promise<void> }> {
    const session = this.sessionId === '' ? {} : { session_id: this.sessionId }
    const answer = await send(this.url, '/api/v1/agent/chat', { message, ...session })
    this.sessionId = answer.headers.get('steward-session-id') ?? this.sessionId
    return { status: answer.status, end: this.#read(answer) }
  }

  /** Joins the session's run again, after the last event that it holds; on a new address, after a restart. */
  async join (url = this.url, lastId = this.lastId): Promise<{ status: number, end: Promise<void> }> {
    const answer = await fetch(`${url}/api/v1/agent/sessions/${this.sessionId}/stream`,
      { headers: { ...asAdmin, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) } })
    return { status: answer.status, end: this.#read(answer) }
  }

  /** Approves what the assistant asked. */
  async confirm (decision: Record<string, unknown>, url = this.url) {
    const answer = await send(url, '/api/v1/agent/confirm', { ...decision, approved: true })
    return { status: answer.status, body: await answer.json() as Record<string, unknown> }
  }

  async #read (answer: Response): Promise<void> {
    const parser = createParser({
      onEvent: ({ id, event = '', data }) => {
        this.seen.push({ id, event, data: JSON.parse(data) as Record<string, unknown> })
        this.#onSeen()
      }
    })
    const decoder = new TextDecoder()
    try {
      for await (const chunk of answer.body ?? []) {
        parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }))
      }
    } catch {
      // The process died: what is there is what the client holds.
    }
  }
}

export const send = (url: string, path: string, body: object): Promise<Response> => fetch(`${url}${path}`, {
  method: 'POST', headers: { ...asAdmin, 'content-type': 'application/json' }, body: JSON.stringify(body)
})

export const get = async (url: string, path: string): Promise<Record<string, unknown>> =>
  await (await fetch(`${url}${path}`, { headers: asAdmin })).json() as Record<string, unknown>

/**
 * What a client makes of the events: whole texts, each at the position where it began, and all other events.
 * A text that was reset begins anew; one that stays empty was never there.
 */
export const transcript = (seen: readonly Seen[]): unknown[] => {
  const texts = new Map<unknown, { message_id: unknown, text: string }>()
  const entries: unknown[] = []
  for (const { event, data } of seen) {
    if (event !== 'content') {
      entries.push({ event, ...data })
      continue
    }
    const held = texts.get(data.message_id) ?? { message_id: data.message_id, text: '' }
    if (!texts.has(data.message_id)) entries.push(held)
    texts.set(data.message_id, held)
    held.text = (data.reset === true ? '' : held.text) + String(data.text)
  }
  return entries.filter((entry) => (entry as { text?: string }).text !== '')
}

/** @returns the events' positions in their run */
export const positions = (seen: readonly Seen[]): number[] =>
  seen.flatMap(({ id }) => id === undefined ? [] : [Number(id.split(':')[1])])
