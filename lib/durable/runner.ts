import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { v4 as uuid } from 'uuid'
import {
  type Claimant, type HeldRow, type LeasedRow, type SeenRow, type WorkKey, announceWork, workChannel
} from '../../db/durable/leases.js'
import type { Db, OpenDatabase } from '../../db/index.js'
import type { Limits } from '../../plugins/config.js'
import { onShareOf } from '../processes/share.js'
import { messageOf } from '../../schemas/unknown.js'
import { CancelRequested, LostLease, LostTooOften, Stopping, type DurableKind, type Holdable } from './kind.js'
import { endsWithin } from './due-jobs.js'
import { Polls, isUnavailable, jittered, type Watch } from './watch.js'

const pollMs = 1_000
const renewMs = 10_000
const againMs = 500

/** Whoever hears of work looks within a second: one of those who hear, and not for every piece of work. */
const heardMs = (): number => 100 + 900 * Math.random()

/** What a process leaves to others within so many milliseconds is announced to them once. */
const announceMs = 50

/** Work that does not end when it is interrupted shall not hold up the stop: its lease lapses. */
const stopMs = 5_000

/** Claims of one sweep. */
const sweepBatch = 20

const takesAny = ({ takes: { unowned, lapsed } }: Claimant): boolean => unowned || lapsed

/** A connection error says nothing of the work; work that lapses for one each time is given up all the same. */
const isLeft = (reason: unknown): boolean =>
  reason instanceof LostLease || reason instanceof Stopping || isUnavailable(reason)

export interface RunnerOptions {
  db: Db
  database: Pick<OpenDatabase, 'listen'>
  limits: Pick<Limits, 'lease_ms' | 'idle_look_ms'>
  log: FastifyBaseLogger
}

/** Its promise ends when the work has left this process (done, failed, released or lost) and its `after` was done. */
export interface Claimed { ended: Promise<void> }

/** Does the work of one kind under leases: what was begun here, and what others left. The rows decide. */
export class Runner<Row extends LeasedRow, Work extends Holdable, Key = WorkKey, Seen extends SeenRow = HeldRow> {
  readonly instance = uuid()
  /** By work, not by id: a lease that was lost may be claimed again here while the old work still ends. */
  readonly #held = new Map<Work, Promise<void>>()
  readonly #claims = new Set<Promise<unknown>>()
  readonly #polls: Polls
  /** What looks for work, and for what else is due. */
  readonly #watches: Watch[] = []
  /** What looks after work that is held, each with its pause. */
  readonly #cares: { watch: Watch, ms: number }[] = []
  #announcing: Promise<void> | undefined
  #isStarted = false
  #stopping = false
  #interrupting = false

  constructor (
    private readonly kind: DurableKind<Row, Work, Key, Seen>,
    private readonly options: RunnerOptions
  ) {
    this.#polls = new Polls(kind.name, options.log)
  }

  get count (): number { return this.#held.size }

  /** @param sweeps whether this process looks for work that others released */
  start (sweeps = true): void {
    this.#isStarted = true
    this.whileHeld(Math.min(renewMs, this.options.limits.lease_ms / 3), () => this.#renew())
    if (this.kind.leases.listHeld) this.whileHeld(pollMs, () => this.#reconcile())
    if (sweeps) this.#listen(this.watch(() => this.#sweep()))
  }

  /** Polls while this process holds work. */
  whileHeld (ms: number, poll: () => Promise<unknown>): void {
    const watch = this.#polls.watch(async () => {
      if (this.#held.size > 0) await poll()
      return this.#held.size > 0 ? ms : Infinity
    })
    this.#cares.push({ watch, ms })
  }

  /**
   * Looks for what is due: when the look said that there will be something, soon after work has left this process,
   * which may have left something behind, and now and then. Half a lease at most: so every look for lapsed leases is
   * followed by another one before a lease lapses that was renewed in between.
   * @param idleMs how long it waits at most, where no lease is looked for
   */
  watch (look: () => Promise<number>, idleMs?: number): Watch {
    const { idle_look_ms: mostMs, lease_ms: leaseMs } = this.options.limits
    const pauseMs = idleMs ?? Math.min(mostMs, leaseMs / 2)
    const watch = this.#polls.watch(async () => Math.min(await look(), jittered(pauseMs)))
    this.#watches.push(watch)
    watch.within(pollMs)
    return watch
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
    if (this.#stopping || !takesAny(claimant)) {
      await this.#announce()
      return undefined
    }
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
    if (this.#isStarted) this.#polls.soon(() => this.claim(key))
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
    const { lease_ms: leaseMs } = this.options.limits
    return { owner: this.instance, leaseMs, holds: this.#ids, takes: { unowned: hasRoom, lapsed: hasRoom }, waits }
  }

  get #room (): number { return this.kind.atOnce - this.#held.size - this.#claims.size }

  /** What this process holds. */
  get keys (): readonly WorkKey[] { return [...this.#held.keys()].map(({ row }) => row) }

  get #ids (): string[] { return this.keys.map(({ id }) => id) }

  async #claim (key: Key, claimant: Claimant): Promise<Claimed | undefined> {
    const row = await this.kind.leases.claim(this.options.db, key, claimant)
    const work = row && await this.kind.hold(row)
    return work && this.#hold(work)
  }

  #hold (work: Work): Claimed {
    if (this.#interrupting) work.abort.abort(new Stopping())
    const left = this.#carry(work).finally(() => {
      this.#held.delete(work)
      for (const watch of this.#watches) watch.within(pollMs)
    })
    this.#held.set(work, left)
    for (const { watch, ms } of this.#cares) watch.within(ms)
    const ended = left.then(async () => { await this.kind.after?.(work) })
      .catch((error: unknown) => this.#polls.warn(error))
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
    const { workspace_id: workspaceId, id, attempts } = work.row
    if (attempts === 0 || attempts < this.kind.maxLost) {
      return onShareOf(workspaceId, undefined, () => this.kind.run(work))
    }
    this.options.log.error({ id, attempts }, `one of the ${this.kind.name} was lost too often and is given up`)
    throw new LostTooOften()
  }

  async #leave (work: Work, error: unknown): Promise<void> {
    const { kind: { name, returnsAfterOutage }, options: { log } } = this
    const line = { work: name, id: work.row.id, reason: messageOf(error) || 'lost' }
    try {
      if (error instanceof Stopping) return await this.#release(work)
      // Otherwise its lease lapses, and whoever claims it goes on after the last step that is stored.
      log.warn(line, 'work was left')
      if (returnsAfterOutage && isUnavailable(error)) await this.#releaseWhenBack(work)
    } catch (again) {
      log.warn({ ...line, reason: messageOf(again) }, 'a lease was not released')
    }
  }

  async #release (work: Work): Promise<void> {
    const { kind: { release, leases }, options: { db } } = this
    await (release ? release(work) : leases.releaseLease(db, work.row))
    await this.#announce()
  }

  /** Lets other processes know of work that is theirs to claim; without it they find it later. */
  #announce (): Promise<void> {
    this.#announcing ??= sleep(announceMs).then(() => {
      this.#announcing = undefined
      return announceWork(this.options.db, this.kind.leases.table)
    }).catch((error: unknown) => this.#polls.warn(error))
    return this.#announcing
  }

  #listen (sweeps: Watch): void {
    const { kind: { leases: { table } }, options: { database } } = this
    this.#polls.soon(() => database.listen(workChannel, (payload) => {
      if (payload === table) sweeps.within(heardMs())
    }, () => {
      this.#polls.noteDbError()
      sweeps.within(pollMs)
    }))
  }

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
    this.#compare(before, await leases.listHeld(db, this.instance, this.keys), (work, row) => this.#onRow(work, row))
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
    const { kind: { leases }, options: { db, limits } } = this
    const before = [...this.#held.keys()]
    this.#compare(before, await leases.renew(db, this.instance, this.keys, limits.lease_ms), () => undefined)
  }

  /** @returns milliseconds until there may be something to claim */
  async #sweep (): Promise<number> {
    const { kind: { leases }, options: { db, limits } } = this
    const claimant = this.#claimant(this.#room > 0)
    if (!takesAny(claimant)) return pollMs
    const limit = Math.min(Math.max(this.#room, 1), sweepBatch)
    const { keys, lapses_in_ms: lapsesInMs } = await leases.findClaimable(db, limit, claimant)
    for (const key of keys) await this.claim(key)
    // There may be more than was looked for; and after an error of the database, work that is not to be claimed yet.
    const isUnsettled = keys.length > 0 || this.#polls.msSinceDbError < limits.lease_ms
    return isUnsettled ? pollMs : lapsesInMs ?? Infinity
  }
}
