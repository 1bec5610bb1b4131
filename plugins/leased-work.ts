import type { FastifyBaseLogger } from 'fastify'
import { v4 as uuid } from 'uuid'
import { isDatabaseTrouble } from '../db/trouble.js'

const pollMs = 1_000
const renewMs = 10_000

/** Somebody else has the work, or it has ended: what this worker still wants to write no longer counts. */
export class LostLease extends Error {
  override name = 'LostLease'
}

/** This instance stops: another one, or the next start, goes on. */
export class Stopping extends Error {}

interface Fenced { id: string, lease_epoch: number }

/** Work that this process holds. */
export interface Held {
  row: Fenced
  /** Aborts with LostLease when the row is somebody else's by now, with Stopping when this instance stops. */
  abort: AbortController
}

/** A kind of work, by what is in its table. */
export interface LeasedKind<Key, State extends Held, Row extends Fenced> {
  /** In the plural, for the log. */
  name: string
  /** Pieces of work that one process carries out at once. */
  atOnce: number
  /** Takes the work if nobody holds it. */
  claim: (key: Key, owner: string, leaseMs: number) => Promise<State | undefined>
  /** Carries it to its end, or as far as it may. Never throws. */
  run: (state: State) => Promise<void>
  /** What follows when it is over and there is room again. */
  after?: (state: State) => Promise<unknown>
  listClaimable: (limit: number) => Promise<Key[]>
  /** The rows that the owner holds, as they are now. */
  listHeld: (owner: string) => Promise<Row[]>
  /** Of what this process works on; what it let go of, because the database went away, lapses and is taken up. */
  renew: (owner: string, ids: string[], leaseMs: number) => Promise<void>
  /** What a row that is still ours says now: whether it is to be cancelled. */
  notice: (state: State, row: Row) => void
}

export interface LeasedWorkOptions { leaseMs: number, log: FastifyBaseLogger }

/** Carries out work under leases: what was asked for here, and what others left. The rows decide. */
export class LeasedWork<Key, State extends Held, Row extends Fenced> {
  readonly instance = uuid()
  readonly #held = new Map<string, { state: State, ended: Promise<void> }>()
  readonly #timers: NodeJS.Timeout[] = []
  #claiming = 0
  #stopping = false
  #troubledAt = -Infinity

  constructor (
    private readonly kind: LeasedKind<Key, State, Row>,
    private readonly options: LeasedWorkOptions
  ) {}

  start (): void {
    const { leaseMs } = this.options
    this.every(Math.min(renewMs, leaseMs / 3), () => this.#renew(leaseMs))
    this.every(pollMs, () => this.#compare())
    this.every(pollMs, () => this.#sweep())
  }

  /** Takes work, if nobody holds it. @returns its end; undefined when there is none, or no room */
  async look (key: Key): Promise<{ ended: Promise<void> } | undefined> {
    if (this.#stopping || this.#room <= 0) return undefined
    this.#claiming++
    try {
      const state = await this.kind.claim(key, this.instance, this.options.leaseMs)
      return state && this.#hold(state)
    } finally {
      this.#claiming--
    }
  }

  /** What was asked for here is begun here, at once, where this instance works at all. */
  hurry (key: Key): void {
    if (this.#timers.length > 0) this.look(key).catch((error: unknown) => this.warn(error))
  }

  /** A cancel that was made here is seen at once; one made elsewhere at the next look at the rows. */
  noticeCancel (): void {
    this.#compare().catch((error: unknown) => this.warn(error))
  }

  /** A truth that is looked at again and again until the stop; one look at a time. */
  every (ms: number, look: () => Promise<void>): void {
    let busy = false
    this.#timers.push(setInterval(() => {
      if (busy) return
      busy = true
      look().catch((error: unknown) => this.warn(error)).finally(() => { busy = false })
    }, ms).unref())
  }

  /** Milliseconds since a look found the database away. */
  get calmMs (): number { return performance.now() - this.#troubledAt }

  warn (error: unknown): void {
    const { name } = this.kind
    if (isDatabaseTrouble(error)) this.#troubledAt = performance.now()
    if (!this.#stopping) this.options.log.warn({ reason: (error as Error).message }, `a look at the ${name} failed`)
  }

  /** Hands over what is held: the next start, or another instance, goes on. */
  async stop (): Promise<void> {
    this.#stopping = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const { state } of this.#held.values()) state.abort.abort(new Stopping())
    await Promise.all([...this.#held.values()].map(({ ended }) => ended))
  }

  get #room (): number { return this.kind.atOnce - this.#held.size - this.#claiming }

  #hold (state: State): { ended: Promise<void> } {
    const { id } = state.row
    const ended = this.kind.run(state).finally(() => this.#held.delete(id))
    this.#held.set(id, { state, ended })
    ended.then(() => this.kind.after?.(state)).catch((error: unknown) => this.warn(error))
    return { ended }
  }

  /** Drops what is no longer ours, tells the rest what its row says. */
  async #compare (): Promise<void> {
    const before = [...this.#held.entries()]
    if (before.length === 0) return
    const rows = new Map((await this.kind.listHeld(this.instance)).map((row) => [row.id, row]))
    for (const [id, { state }] of before) {
      const row = rows.get(id)
      if (row?.lease_epoch === state.row.lease_epoch) this.kind.notice(state, row)
      else state.abort.abort(new LostLease())
    }
  }

  async #renew (leaseMs: number): Promise<void> {
    if (this.#held.size > 0) await this.kind.renew(this.instance, [...this.#held.keys()], leaseMs)
  }

  async #sweep (): Promise<void> {
    if (this.#room <= 0) return
    for (const key of await this.kind.listClaimable(this.#room)) await this.look(key)
  }
}
