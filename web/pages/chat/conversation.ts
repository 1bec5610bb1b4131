import { batch, computed, signal } from '@preact/signals'
import { api, baseUrl, body, type Schemas } from '../../api/client'
import { openStream, pause, readFrames } from '../../api/events'
import type { Problem } from '../../api/problem'
import { problemOf } from '../../api/problem'
import { decide, type Approval, type Decision } from '../../approvals/approval'
import { announce } from './tabs'
import { applyEvent, fromMessages, keepApprovals, pendingOf, putApproval, type Entry } from './transcript'

type Detail = Schemas['ChatSessionDetail']
type Event = Schemas['ChatEvent']

/** Answers that asking again does not change. */
const final = (problem: Problem) => problem.status >= 400 && problem.status < 500 && problem.status !== 429
const waitMs = (failures: number) => Math.min(8_000, 250 * 2 ** failures)

/** One session as one tab sees it: what was said, what is being said, and what waits. */
export class Conversation {
  readonly entries = signal<readonly Entry[]>([])
  readonly detail = signal<Detail | undefined>(undefined)
  readonly problem = signal<Problem | undefined>(undefined)
  readonly loading = signal(false)
  /** A run is live, here or in another tab. */
  readonly live = signal(false)
  /** The stream broke, and is being joined again. */
  readonly rejoining = signal(false)
  readonly stopping = signal(false)
  readonly older = signal<string | null>(null)
  readonly waiting = computed(() => pendingOf(this.entries.value))
  id: string | undefined
  #run: string | undefined
  #lastId: string | undefined
  #leave = new AbortController()
  readonly #onStart: (id: string) => void

  constructor (id: string | undefined, onStart: (id: string) => void) {
    this.id = id
    this.#onStart = onStart
  }

  /** Reads the session, and joins its live run from the run's beginning: what was half said comes again. */
  async open (): Promise<void> {
    if (this.id === undefined) return
    this.loading.value = this.entries.peek().length === 0
    try {
      await this.#read(this.id)
    } catch (error) {
      this.problem.value = problemOf(error)
    }
    this.loading.value = false
  }

  async #read (session_id: string) {
    const params = { path: { session_id }, query: { limit: 50 } }
    const [detail, messages] = await Promise.all([
      this.#readDetail(session_id), body(api.GET('/api/v1/agent/sessions/{session_id}/messages', { params }))
    ])
    // Meanwhile something was said here, whose stream tells more than what was read.
    if (this.live.peek() || this.#leave.signal.aborted) return
    batch(() => {
      this.detail.value = detail
      this.problem.value = undefined
      this.older.value = messages.next_cursor
      this.entries.value = keepApprovals(this.entries.peek(), fromMessages(messages.items, detail.live_run?.run_id))
    })
    if (detail.live_run) void this.#follow(detail.live_run.run_id)
  }

  /** Looks whether another tab, or a job, started a run or said something; reads again only then. */
  async refresh (): Promise<void> {
    if (this.id === undefined || this.live.peek() || this.loading.peek()) return
    const known = this.detail.peek()?.last_activity_at
    const detail = await this.#readDetail(this.id).catch(() => undefined)
    if (detail && (detail.live_run || detail.last_activity_at !== known)) await this.open()
  }

  #readDetail (session_id: string): Promise<Detail> {
    return body(api.GET('/api/v1/agent/sessions/{session_id}', { params: { path: { session_id } } }))
  }

  async loadOlder (): Promise<void> {
    const cursor = this.older.peek()
    if (this.id === undefined || cursor === null) return
    const page = await body(api.GET('/api/v1/agent/sessions/{session_id}/messages', {
      params: { path: { session_id: this.id }, query: { limit: 50, cursor } }
    }))
    batch(() => {
      this.older.value = page.next_cursor
      this.entries.value = [...fromMessages(page.items, undefined), ...this.entries.peek()]
    })
  }

  /** Says something. The key makes sure that it is said once, however often the connection breaks on the way. */
  async say (message: string, context: Schemas['ChatRequest']['context']): Promise<boolean> {
    const key = crypto.randomUUID()
    const before = this.entries.peek()
    const held = this.#leave
    this.#leave = new AbortController()
    held.abort()
    batch(() => {
      this.problem.value = undefined
      this.live.value = true
      this.entries.value = [...before, { kind: 'user', id: key, text: message }]
    })
    try {
      const response = await this.#post(message, key, context)
      this.#begin(response)
      void this.#follow(this.#run, response)
      return true
    } catch (error) {
      batch(() => {
        this.problem.value = problemOf(error)
        this.live.value = false
        this.entries.value = before
      })
      const { problem } = this
      const said = problem.peek()
      // What was followed before is followed again; the reason stays in sight.
      await this.open()
      problem.value = said
      return false
    }
  }

  async #post (message: string, key: string, context: Schemas['ChatRequest']['context']): Promise<Response> {
    for (let failures = 0; ; failures++) {
      try {
        return await openStream(`${baseUrl}/api/v1/agent/chat`, {
          method: 'POST',
          signal: this.#leave.signal,
          headers: { 'content-type': 'application/json', 'idempotency-key': key },
          body: JSON.stringify({ message, context, session_id: this.id } satisfies Schemas['ChatRequest'])
        })
      } catch (error) {
        const problem = problemOf(error)
        if (problem.code !== 'unreachable' || failures === 5) throw problem
        await pause(waitMs(failures), this.#leave.signal)
      }
    }
  }

  #begin (response: Response): void {
    this.#run = response.headers.get('steward-run-id') ?? undefined
    this.#lastId = undefined
    const id = response.headers.get('steward-session-id')
    if (this.id === undefined && id) {
      this.id = id
      this.#onStart(id)
    }
    announce(this.id)
  }

  /** Reads the run's events to their end, and joins again after the last id held whenever the stream breaks. */
  async #follow (run: string | undefined, opened?: Response): Promise<void> {
    const { signal } = this.#leave
    if (run !== this.#run) this.#lastId = undefined
    this.#run = run
    this.live.value = true
    let response = opened
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        response ??= await this.#join(signal)
        if (response.status === 204) break
        this.rejoining.value = false
        const before = this.#lastId
        if (await this.#readAll(response, signal)) break
        if (this.#lastId !== before) failures = 0
      } catch (error) {
        const problem = problemOf(error)
        if (signal.aborted) return
        if (final(problem)) this.problem.value = problem
        if (final(problem)) break
      }
      response = undefined
      this.rejoining.value = failures > 0
      await pause(waitMs(failures), signal)
    }
    if (!signal.aborted) await this.#finish()
  }

  #join (signal: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = this.#lastId === undefined ? {} : { 'last-event-id': this.#lastId }
    return openStream(`${baseUrl}/api/v1/agent/sessions/${this.id}/stream`, { signal, headers })
  }

  /** @returns whether the run came to its end */
  async #readAll (response: Response, signal: AbortSignal): Promise<boolean> {
    for await (const { id, data } of readFrames<Event>(response)) {
      if (signal.aborted) return true
      this.entries.value = applyEvent(this.entries.peek(), data, id ?? crypto.randomUUID())
      this.#lastId = id || this.#lastId
      if (data.type === 'confirmation_required') void this.#look()
      if (data.type === 'done' && data.final) return true
    }
    return false
  }

  /** The session has got a title, has cost something, or waits: whoever shows that is told. */
  async #look (): Promise<void> {
    announce(this.id)
    if (this.id === undefined) return
    this.detail.value = await this.#readDetail(this.id).catch(() => this.detail.peek())
  }

  /** The run is over: title, cost and the stored messages are what counts now. */
  async #finish (): Promise<void> {
    batch(() => {
      this.live.value = false
      this.rejoining.value = false
      this.stopping.value = false
    })
    await this.#look()
  }

  async stop (): Promise<void> {
    if (this.#run === undefined) return
    this.stopping.value = true
    await body(api.POST('/api/v1/agent/runs/{run_id}/cancel', { params: { path: { run_id: this.#run } } }))
      .catch((error: unknown) => {
        this.stopping.value = false
        this.problem.value = problemOf(error)
      })
  }

  async decide (approval: Approval, decision: Decision): Promise<void> {
    const decided = await decide(approval, decision)
    this.entries.value = putApproval(this.entries.peek(), decided)
    announce(this.id)
  }

  close (): void {
    this.#leave.abort()
  }
}
