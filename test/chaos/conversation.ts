import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { createParser } from 'eventsource-parser'
import { asAdmin } from '../app.js'
import { transcript, type Seen } from '../flows/crash-client.js'

const json = { ...asAdmin, 'content-type': 'application/json' }
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** What a proxy says of a dead instance, and an instance of an unavailable database; its other answers are final. */
const isPassing = ({ status, headers }: Response): boolean => status === 503 ||
  ((status === 502 || status === 504) && headers.get('content-type') !== 'application/problem+json')

/** What a client met on its way and repeated: that it passes does not mean that it may happen. */
export const passed: string[] = []

const note = (answer: Response | string): void => {
  const describe = ({ status, headers }: Response) =>
    `${status} ${headers.get('x-error-code')}${headers.has('retry-after') ? ' with Retry-After' : ''}`
  passed.push(typeof answer === 'string' ? answer : describe(answer))
}

/** Longer than any restart or outage in these tests. */
const timeoutMs = 180_000

/** Repeats a request until it is answered, as a client behind a proxy does. @throws Error when no answer comes */
export const persist = async (ask: () => Promise<Response>, signal?: AbortSignal): Promise<Response> => {
  for (const end = Date.now() + timeoutMs; Date.now() < end && !signal?.aborted;) {
    const answer = await ask().catch((error: unknown) => inspect(error))
    if (typeof answer !== 'string' && !isPassing(answer)) return answer
    note(answer)
    if (typeof answer !== 'string') await answer.body?.cancel()
    await pause(150)
  }
  throw new Error(`No answer for ${timeoutMs / 1_000} s`)
}

/** What a person sees of one run, over however many connections. */
export class Conversation {
  sessionId = ''
  runId = ''
  seen: Seen[] = []
  /** Connections that were lost or refused on the way. */
  broken = 0
  decisions: number[] = []
  /** Called when a decision was taken. */
  onDecided = () => {}
  /** Takes the questions; without it each is approved. */
  onAsked: ((question: Record<string, unknown>) => void) | undefined

  readonly #left = new AbortController()

  constructor (readonly url: string) {}

  /** The client goes away: what it said ends with an error here. */
  leave (): void {
    this.#left.abort()
  }

  /** Says something, approves what is asked for, and follows to the end of the run. @returns the final `done` */
  async say (message: string): Promise<Record<string, unknown>> {
    this.seen = []
    this.runId = ''
    const key = randomUUID()
    const session = this.sessionId === '' ? {} : { session_id: this.sessionId }
    const body = JSON.stringify({ message, ...session })
    const first = await persist(() => fetch(`${this.url}/api/v1/agent/chat`,
      { method: 'POST', headers: { ...json, 'idempotency-key': key }, body, signal: this.#left.signal }))
    if (first.status !== 200) throw new Error(`Not taken: ${first.status} ${await first.text()}`)
    this.sessionId = first.headers.get('steward-session-id') ?? ''
    this.runId = first.headers.get('steward-run-id') ?? ''
    await this.#read(first)
    while (!this.#end) await this.#rejoin()
    return this.#end
  }

  result (name: string): Record<string, unknown> | undefined {
    return this.seen.find(({ event, data }) => event === 'tool_result' && data.name === name)?.data
  }

  /** @returns what is wrong with the events that came, compared with the run as this instance streams it */
  async compare (instance: string): Promise<string[]> {
    const again = new Conversation(instance)
    again.sessionId = this.sessionId
    again.runId = this.runId
    await again.#rejoin()
    const stored = JSON.stringify(transcript(again.seen))
    const positions = this.seen.map(({ id }) => Number(id?.split(':')[1]))
    const dones = again.seen.filter(({ event, data }) => event === 'done' && data.final === true)
    return [
      ...(stored === JSON.stringify(transcript(this.seen)) ? [] : [`${this.runId}: seen is not what is stored`]),
      ...(positions.every((position, index) => index === 0 || position > (positions[index - 1] ?? 0))
        ? []
        : [`${this.runId}: out of order, or twice`]),
      ...(dones.length === 1 ? [] : [`${this.runId}: ${dones.length} ends`])
    ]
  }

  get #end (): Record<string, unknown> | undefined {
    return this.seen.find(({ event, data }) => event === 'done' && data.final === true)?.data
  }

  async #rejoin (): Promise<void> {
    this.broken++
    const last = this.seen.findLast(({ id }) => id !== undefined)?.id ?? `${this.runId}:0`
    const answer = await persist(() => fetch(`${this.url}/api/v1/agent/sessions/${this.sessionId}/stream`,
      { headers: { ...asAdmin, 'last-event-id': last }, signal: this.#left.signal }), this.#left.signal)
    if (answer.status !== 200) throw new Error(`${this.runId} after ${last}: ${answer.status} ${await answer.text()}`)
    await this.#read(answer)
  }

  async #read (answer: Response): Promise<void> {
    const waiting: Promise<void>[] = []
    const parser = createParser({
      onEvent: ({ id, event = '', data }) => {
        const one = { id, event, data: JSON.parse(data) as Record<string, unknown> }
        if (id !== undefined) this.seen.push(one)
        if (event === 'confirmation_required') waiting.push(this.#approve(one.data))
      }
    })
    const decoder = new TextDecoder()
    try {
      for await (const chunk of answer.body ?? []) parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }))
    } catch {
      // The instance died; what is there is what the client holds.
    }
    await Promise.all(waiting)
  }

  async #approve (question: Record<string, unknown>): Promise<void> {
    if (this.onAsked) return this.onAsked(question)
    const { session_id, confirmation_id, input_digest } = question
    const body = JSON.stringify({ session_id, confirmation_id, input_digest, approved: true })
    const answer = await persist(() =>
      fetch(`${this.url}/api/v1/agent/confirm`, { method: 'POST', headers: json, body }))
    this.decisions.push(answer.status)
    await answer.body?.cancel()
    this.onDecided()
  }
}
