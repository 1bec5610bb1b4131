import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { v4 as uuid } from 'uuid'
import type { Claimant, HeldRow, LeasedRow, SeenRow, WorkKey } from '../../db/durable/leases.js'
import type { Db } from '../../db/index.js'
import { messageOf } from '../../schemas/thrown.js'
import { CancelRequested, LostLease, LostTooOften, Stopping } from './errors.js'
import { endsWithin } from './ends-within.js'
import type { DurableKind, Holdable } from './kind.js'
import { Polls } from './polls.js'
import { isUnavailable } from './unavailable.js'

const pollMs = 1_000
const renewMs = 10_000
const againMs = 500

/** Work that does not end when it is interrupted shall not hold up the stop: its lease lapses. */
const stopMs = 5_000

/** Claims of one sweep. */
const sweepBatch = 20

const takesAny = ({ takes: { unowned, lapsed } }: Claimant): boolean => unowned || lapsed

/** A connection error says nothing of the work; work that lapses for one each time is given up all the same. */
const isLeft = (reason: unknown): boolean =>
  reason instanceof LostLease || reason instanceof Stopping || isUnavailable(reason)

export interface RunnerOptions { db: Db, leaseMs: number, log: FastifyBaseLogger }

/** Its promise ends when the work has left this process: done, failed, released or lost. */
export interface Claimed { ended: Promise<void> }

/** Does the work of one kind under leases: what was begun here, and what others left. The rows decide. */
export class Runner<Row extends LeasedRow, Work extends Holdable, Key = WorkKey, Seen extends SeenRow = HeldRow> {
  readonly instance = uuid()
  /** By work, not by id: a lease that was lost may be claimed again here while the old work still ends. */
  readonly #held = new Map<Work, Promise<void>>()
  readonly #claims = new Set<Promise<unknown>>()
  readonly #polls: Polls
  #stopping = false
  #interrupting = false

  constructor (
    private readonly kind: DurableKind<Row, Work, Key, Seen>,
    private readonly options: RunnerOptions
  ) {
    this.#polls = new Polls(kind.name, options.log)
  }

  get count (): number { return this.#held.size }

  /** @param sweeps whether this process polls for work that others released */
  start (sweeps = true): void {
    this.#polls.every(Math.min(renewMs, this.options.leaseMs / 3), () => this.#renew())
    this.#polls.every(pollMs, () => this.#reconcile())
    if (sweeps) this.#polls.every(pollMs, () => this.#sweep())
  }

  /** Polls what the kind itself asks for. */
  every (ms: number, poll: () => Promise<unknown>): void {
    this.#polls.every(ms, poll)
  }

  find (id: string): Work | undefined {
    return [...this.#held.keys()].find(({ row }) => row.id === id)
  }

  /**
   * Claims work that is unclaimed, and begins it. @returns undefined when there is none, or no room
   * @param isUrgent a person waits for it: it needs no free slot
   */
  async claim (key: Key, isUrgent = false): Promise<Claimed | undefined> {
    const claimant = this.#claimant(isUrgent || this.#room > 0, isUrgent)
    if (this.#stopping || !takesAny(claimant)) return undefined
    const claim = this.#claim(key, claimant)
    this.#claims.add(claim)
    return claim.finally(() => this.#claims.delete(claim))
  }

  /** Begins work that was made under this process's lease. */
  adopt (work: Work): Claimed {
    return this.#hold(work)
  }

  /** Begins at once what was asked for here, where this process does work at all. */
  claimSoon (key: Key): void {
    if (this.#polls.isStarted) this.#polls.soon(() => this.claim(key))
  }

  /** Sees at once what a request changed in the row of held work; a change made elsewhere is seen at the next poll. */
  reconcileSoon (): void {
    this.#polls.soon(() => this.#reconcile())
  }

  /** Interrupts what is held and releases its leases: the next start, or another process, goes on. */
  async stop (): Promise<void> {
    const { kind: { name, drainMs }, options: { log } } = this
    this.#stopping = true
    const polled = this.#polls.stop()
    if (drainMs !== undefined) await endsWithin(this.#left(polled), drainMs)
    this.#interrupting = true
    for (const work of this.#held.keys()) work.abort.abort(new Stopping())
    if (await endsWithin(this.#left(polled), stopMs)) return
    log.warn({ ids: this.#ids }, `stopping without waiting any longer for the ${name}`)
  }

  /** A claim that was under way at the stop ends as held work. */
  async #left (polled: Promise<void>): Promise<void> {
    await Promise.allSettled([...this.#claims, polled])
    await Promise.all(this.#held.values())
  }

  #claimant (hasRoom: boolean, waits = false): Claimant {
    const { leaseMs } = this.options
    // Giving up takes no room. But after a connection error, leases have lapsed of processes that live: they get the
    // time of a lease to renew them.
    const lapsed = this.kind.maxLost === 0 ? this.#polls.msSinceDbError >= leaseMs : hasRoom
    return { owner: this.instance, leaseMs, holds: this.#ids, takes: { unowned: hasRoom, lapsed }, waits }
  }

  get #room (): number { return this.kind.atOnce - this.#held.size - this.#claims.size }

  get #ids (): string[] { return [...this.#held.keys()].map(({ row }) => row.id) }

  async #claim (key: Key, claimant: Claimant): Promise<Claimed | undefined> {
    const row = await this.kind.leases.claim(this.options.db, key, claimant)
    const work = row && await this.kind.hold(row)
    return work && this.#hold(work)
  }

  #hold (work: Work): Claimed {
    if (this.#interrupting) work.abort.abort(new Stopping())
    const ended = this.#carry(work).finally(() => this.#held.delete(work))
    this.#held.set(work, ended)
    ended.then(() => this.kind.after?.(work)).catch((error: unknown) => this.#polls.warn(error))
    return { ended }
  }

  /** Carries work to its end, or as far as it may. Never throws. */
  async #carry (work: Work): Promise<void> {
    const { signal } = work.abort
    try {
      await this.#begin(work).catch((thrown: unknown) => {
        const error: unknown = signal.aborted ? signal.reason : thrown
        for (const reason of [error, thrown]) if (isLeft(reason)) throw reason
        return this.kind.fail(work, error, thrown)
      })
    } catch (error) {
      await this.#leave(work, error)
    }
  }

  async #begin (work: Work): Promise<unknown> {
    work.abort.signal.throwIfAborted()
    const { id, attempts } = work.row
    if (attempts === 0 || attempts < this.kind.maxLost) return this.kind.run(work)
    this.options.log.error({ id, attempts }, `one of the ${this.kind.name} was lost too often and is given up`)
    throw new LostTooOften()
  }

  async #leave (work: Work, error: unknown): Promise<void> {
    const { kind: { name, maxLost }, options: { log } } = this
    const line = { work: name, id: work.row.id, reason: messageOf(error) || 'lost' }
    try {
      if (error instanceof Stopping) return await this.#release(work)
      // Otherwise its lease lapses, and whoever claims it goes on after the last step that is stored.
      log.warn(line, 'work was left')
      if (maxLost === 0 && isUnavailable(error)) await this.#releaseWhenBack(work)
    } catch (again) {
      log.warn({ ...line, reason: messageOf(again) }, 'a lease was not released')
    }
  }

  async #release (work: Work): Promise<void> {
    const { kind: { release, leases }, options: { db } } = this
    await (release ? release(work) : leases.releaseLease(db, work.row))
  }

  /** Work that is given up at its first lapsed lease is released before, as soon as the database answers again. */
  async #releaseWhenBack (work: Work): Promise<void> {
    for (; ; await sleep(againMs, undefined, { signal: work.abort.signal })) {
      try {
        return await this.#release(work)
      } catch (error) {
        if (!isUnavailable(error)) throw error
      }
    }
  }

  /** Interrupts what this process does not hold any more, and shows the rest its row. */
  async #reconcile (): Promise<void> {
    const { kind: { leases }, options: { db } } = this
    if (this.#held.size === 0 || !leases.listHeld) return
    const before = [...this.#held.keys()]
    this.#compare(before, await leases.listHeld(db, this.instance), (work, row) => this.#onRow(work, row))
  }

  #compare<R extends SeenRow> (before: readonly Work[], rows: readonly R[], onRow: (work: Work, row: R) => void): void {
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const work of before) {
      const row = byId.get(work.row.id)
      if (!this.#held.has(work)) continue
      if (row?.lease_epoch === work.row.lease_epoch) onRow(work, row)
      else work.abort.abort(new LostLease())
    }
  }

  #onRow (work: Work, row: Seen): void {
    if (this.kind.onRow) return this.kind.onRow(work, row)
    if ('cancel_requested' in row && row.cancel_requested) work.abort.abort(new CancelRequested())
  }

  async #renew (): Promise<void> {
    const { kind: { leases }, options: { db, leaseMs } } = this
    if (this.#held.size === 0) return
    const before = [...this.#held.keys()]
    this.#compare(before, await leases.renew(db, this.instance, this.#ids, leaseMs), () => undefined)
  }

  async #sweep (): Promise<void> {
    const { kind: { leases }, options: { db } } = this
    const claimant = this.#claimant(this.#room > 0)
    if (!takesAny(claimant)) return
    const limit = Math.min(Math.max(this.#room, 1), sweepBatch)
    for (const key of await leases.listClaimable(db, limit, claimant)) await this.claim(key)
  }
}
