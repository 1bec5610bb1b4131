import { batch, computed, signal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { openStream, pause } from '../../api/events'
import { followStream, retryDelay } from '../../api/follow'
import { problemOf, type Problem } from '../../api/problem'
import { readApproval, readSession, type Approval } from '../../approvals/approval'
import { configured, fieldsOf } from './chosen'
import { readEndings } from './endings'
import { announce } from './tabs'
import { applyEvent, fromMessages, isHeldUp, keepWaiting, pendingOf, putApproval, type Entry } from './transcript'

type Attachment = Schemas['Attachment']
type Detail = Schemas['ChatSessionDetail']
type Event = Schemas['ChatEvent']

const idsOf = (files: readonly Attachment[]) => files.length > 0 ? { attachment_ids: files.map(({ id }) => id) } : {}

/** Looks for the run of a queued message; later a change has the session read again. */
const maxTries = 10
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
  /** What its first message says of the session. */
  readonly chosen = signal(configured)
  readonly waiting = computed(() => pendingOf(this.entries.value))
  /** The live run goes on when an approval is decided. */
  readonly heldUp = computed(() => isHeldUp(this.entries.value))
  id: string | undefined
  #run: string | undefined
  /** The approvals of the session, as last read. */
  #approvals: ReadonlyMap<string, Approval> = new Map()
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
    const live = detail.live_run?.run_id
    const endings = await readEndings(messages.items, live)
    // The user sent a message meanwhile, and its stream is newer than what was read.
    if (this.live.peek() || this.#controller.signal.aborted) return
    this.#approvals = new Map(approvals.map((approval) => [approval.id, approval]))
    batch(() => {
      this.detail.value = detail
      this.problem.value = undefined
      this.older.value = messages.next_cursor
      this.entries.value = fromMessages(messages.items, this.#approvals, endings, live)
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
      params: { path: { session_id: this.id }, query: { limit: 100, cursor } }
    }))
    const endings = await readEndings(page.items, undefined)
    batch(() => {
      this.older.value = page.next_cursor
      const known = new Set(this.entries.peek().map(({ id }) => id))
      const older = fromMessages(page.items, this.#approvals, endings).filter(({ id }) => !known.has(id))
      this.entries.value = [...older, ...this.entries.peek()]
    })
  }

  /** Sends a message. With the idempotency key it arrives once, however often the connection breaks. */
  async send (message: string, context: Schemas['ChatRequest']['context'], files: readonly Attachment[] = []):
  Promise<boolean> {
    const key = crypto.randomUUID()
    const before = this.entries.peek()
    const previous = this.#controller
    this.#controller = new AbortController()
    previous.abort()
    batch(() => {
      this.problem.value = undefined
      this.live.value = true
      this.entries.value = [...before, { kind: 'user', id: key, text: message, files }]
    })
    try {
      const chosen = this.id === undefined ? fieldsOf(this.chosen.peek()) : {}
      const response = await this.#post({ message, context, ...idsOf(files), ...chosen }, key)
      this.#begin(response)
      // Approvals wait on; the stream that would report it is no longer followed.
      this.entries.value = keepWaiting(this.entries.peek())
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

  /** Has a message sent when the live run has ended. @returns whether it waits now */
  async queue (message: string, context: Schemas['QueueMessage']['context'], files: readonly Attachment[] = []):
  Promise<boolean> {
    if (this.id === undefined) return false
    const params = { path: { session_id: this.id } }
    try {
      await body(api.POST('/api/v1/agent/sessions/{session_id}/queue', {
        params, body: { message, context, ...idsOf(files) }
      }))
      await this.reloadDetail()
      // The run may have ended meanwhile.
      if (!this.live.peek()) await this.#followNext()
      return true
    } catch (error) {
      this.problem.value = problemOf(error)
      return false
    }
  }

  /** Takes back a message that waits. */
  async takeBack (queued_message_id: string): Promise<void> {
    if (this.id === undefined) return
    const params = { path: { session_id: this.id, queued_message_id } }
    await body(api.DELETE('/api/v1/agent/sessions/{session_id}/queue/{queued_message_id}', { params }))
      .catch((error: unknown) => { this.problem.value = problemOf(error) })
    await this.reloadDetail()
  }

  /** Waits until the next queued message is sent, and follows its run. */
  async #followNext (): Promise<void> {
    const { signal } = this.#controller
    for (let tries = 0; (this.detail.peek()?.queued.length ?? 0) > 0 && tries < maxTries; tries++) {
      if (this.live.peek() || signal.aborted) return
      if (this.detail.peek()?.live_run) break
      await pause(retryDelay(tries), signal).catch(() => undefined)
      await this.reloadDetail()
    }
    await this.open()
  }

  async #post (request: Schemas['ChatRequest'], key: string): Promise<Response> {
    for (let failures = 0; ; failures++) {
      try {
        return await openStream('/api/v1/agent/chat', {
          method: 'POST',
          signal: this.#controller.signal,
          headers: { 'content-type': 'application/json', 'idempotency-key': key },
          body: JSON.stringify({ ...request, session_id: this.id } satisfies Schemas['ChatRequest'])
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
    let ended = false
    try {
      await followStream<Event>(`/api/v1/agent/sessions/${this.id}/stream`, {
        signal,
        onOpen: () => { this.rejoining.value = false },
        onEvent: (event, id) => {
          ended = this.#receive(event, id)
          return ended
        },
        onBreak: (failures) => { this.rejoining.value = failures > 0 }
      }, opened)
    } catch (error) {
      if (!signal.aborted) this.problem.value = problemOf(error)
    }
    if (signal.aborted) return
    await this.#finish()
    // It had ended before it was followed: what was read left its messages out, for the stream to bring them.
    // Or a run that had waited beside it goes on.
    if (ended === (this.detail.peek()?.live_run !== null)) await this.open()
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
    const waited = this.detail.peek()?.queued.length ?? 0
    await this.reloadDetail()
    if (waited > 0) await this.#followNext()
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
    // A run that waited beside the conversation goes on.
    if (approval.status !== 'pending') void this.refresh()
  }

  close (): void {
    this.#controller.abort()
  }
}
