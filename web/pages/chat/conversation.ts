import { batch, computed, signal } from '@preact/signals'
import { api, baseUrl, body, type Schemas } from '../../api/client'
import { openStream, pause } from '../../api/events'
import { followStream, retryDelay } from '../../api/follow'
import type { Problem } from '../../api/problem'
import { problemOf } from '../../api/problem'
import { readApproval, readSession, type Approval } from '../../approvals/approval'
import { announce } from './tabs'
import {
  applyEvent, closeApprovals, fromMessages, pendingOf, putApproval, type Entry, type Approvals
} from './transcript'

type Detail = Schemas['ChatSessionDetail']
type Event = Schemas['ChatEvent']

/** One session as one tab shows it: its messages, the live run, and the pending approvals. */
export class Conversation {
  readonly entries = signal<readonly Entry[]>([])
  readonly detail = signal<Detail | undefined>(undefined)
  readonly problem = signal<Problem | undefined>(undefined)
  readonly loading = signal(false)
  /** A run is live, here or in another tab. */
  readonly live = signal(false)
  /** The stream broke, and this tab joins it again. */
  readonly rejoining = signal(false)
  readonly stopping = signal(false)
  readonly older = signal<string | null>(null)
  readonly waiting = computed(() => pendingOf(this.entries.value))
  id: string | undefined
  #run: string | undefined
  /** The approvals of the session, as last read. */
  #approvals: Approvals = new Map()
  #controller = new AbortController()
  readonly #onStart: (id: string) => void

  constructor (id: string | undefined, onStart: (id: string) => void) {
    this.id = id
    this.#onStart = onStart
  }

  /** Reads the session, and joins its live run from the beginning: the stream repeats unfinished texts. */
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
    const [detail, messages, approvals] = await Promise.all([
      this.#readDetail(session_id),
      body(api.GET('/api/v1/agent/sessions/{session_id}/messages', { params })),
      readSession(session_id)
    ])
    // The user sent a message meanwhile, and its stream is newer than what was read.
    if (this.live.peek() || this.#controller.signal.aborted) return
    this.#approvals = new Map(approvals.map((approval) => [approval.id, approval]))
    batch(() => {
      this.detail.value = detail
      this.problem.value = undefined
      this.older.value = messages.next_cursor
      this.entries.value = fromMessages(messages.items, this.#approvals, detail.live_run?.run_id)
    })
    if (detail.live_run) void this.#follow(detail.live_run.run_id)
  }

  /** Reads the session again if another tab, or a job, started a run or added a message. */
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
      const known = new Set(this.entries.peek().map(({ id }) => id))
      const older = fromMessages(page.items, this.#approvals).filter(({ id }) => !known.has(id))
      this.entries.value = [...older, ...this.entries.peek()]
    })
  }

  /** Sends a message. With the idempotency key it arrives once, however often the connection breaks. */
  async send (message: string, context: Schemas['ChatRequest']['context']): Promise<boolean> {
    const key = crypto.randomUUID()
    const before = this.entries.peek()
    const previous = this.#controller
    this.#controller = new AbortController()
    previous.abort()
    batch(() => {
      this.problem.value = undefined
      this.live.value = true
      this.entries.value = [...before, { kind: 'user', id: key, text: message }]
    })
    try {
      const response = await this.#post(message, key, context)
      this.#begin(response)
      // The message closed the pending approvals; the stream that would report it is no longer followed.
      this.entries.value = closeApprovals(this.entries.peek())
      void this.#follow(this.#run, response)
      return true
    } catch (error) {
      batch(() => {
        this.problem.value = problemOf(error)
        this.live.value = false
        this.entries.value = before
      })
      const { problem } = this
      const cause = problem.peek()
      // `open` follows the earlier run again and clears the problem, which has to stay visible.
      await this.open()
      problem.value = cause
      return false
    }
  }

  async #post (message: string, key: string, context: Schemas['ChatRequest']['context']): Promise<Response> {
    for (let failures = 0; ; failures++) {
      try {
        return await openStream(`${baseUrl}/api/v1/agent/chat`, {
          method: 'POST',
          signal: this.#controller.signal,
          headers: { 'content-type': 'application/json', 'idempotency-key': key },
          body: JSON.stringify({ message, context, session_id: this.id } satisfies Schemas['ChatRequest'])
        })
      } catch (error) {
        const problem = problemOf(error)
        if (problem.code !== 'unreachable' || failures === 5) throw problem
        await pause(retryDelay(failures), this.#controller.signal)
      }
    }
  }

  #begin (response: Response): void {
    this.#run = response.headers.get('steward-run-id') ?? undefined
    const id = response.headers.get('steward-session-id')
    if (this.id === undefined && id) {
      this.id = id
      this.#onStart(id)
    }
    announce(this.id)
  }

  /** Applies the run's events until it has ended. */
  async #follow (run: string | undefined, opened?: Response): Promise<void> {
    const { signal } = this.#controller
    this.#run = run
    this.live.value = true
    try {
      await followStream<Event>(`/api/v1/agent/sessions/${this.id}/stream`, {
        signal,
        onOpen: () => { this.rejoining.value = false },
        onEvent: (event, id) => this.#receive(event, id),
        onBreak: (failures) => { this.rejoining.value = failures > 0 }
      }, opened)
    } catch (error) {
      if (!signal.aborted) this.problem.value = problemOf(error)
    }
    if (!signal.aborted) await this.#finish()
  }

  /** @returns whether the run came to its end */
  #receive (event: Event, id: string = crypto.randomUUID()): boolean {
    this.#apply(event, id)
    if (event.type === 'confirmation_required') void this.reloadDetail()
    return event.type === 'done' && event.final
  }

  /** Reads the session's title, cost and state again, and announces the change to the other tabs. */
  async reloadDetail (): Promise<void> {
    announce(this.id)
    if (this.id === undefined) return
    this.detail.value = await this.#readDetail(this.id).catch(() => this.detail.peek())
  }

  async #finish (): Promise<void> {
    batch(() => {
      this.live.value = false
      this.rejoining.value = false
      this.stopping.value = false
    })
    await this.reloadDetail()
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

  /** The stream may repeat an approval that has been decided since, or end one that was edited. */
  #apply (event: Event, id: string): void {
    const waited = pendingOf(this.entries.peek())
    this.entries.value = applyEvent(this.entries.peek(), event, id)
    const known = event.type === 'confirmation_required' && this.#approvals.get(event.confirmation_id)
    if (known && known.status !== 'pending') this.entries.value = putApproval(this.entries.peek(), known)
    const waits = new Set(pendingOf(this.entries.peek()).map((approval) => approval.id))
    const replaced = event.type === 'confirmation_required' ? event.replaces : undefined
    for (const ended of waited) if (!waits.has(ended.id) && ended.id !== replaced) void this.#readRecord(ended.id)
  }

  async #readRecord (id: string): Promise<void> {
    const record = await readApproval(id).catch(() => undefined)
    if (record && record.status !== 'pending' && !this.#controller.signal.aborted) this.put(record)
  }

  /** Updates an approval, unless a newer one has replaced it. */
  put (approval: Approval): void {
    const newer = this.entries.peek().some((entry) => entry.kind === 'call' && entry.id === approval.tool_call_id &&
      entry.approval !== undefined && entry.approval.id > approval.id)
    if (newer) return
    const others = [...this.#approvals].filter(([id]) => id !== approval.id)
    this.#approvals = new Map([[approval.id, approval], ...others])
    this.entries.value = putApproval(this.entries.peek(), approval)
    announce(this.id)
  }

  close (): void {
    this.#controller.abort()
  }
}
