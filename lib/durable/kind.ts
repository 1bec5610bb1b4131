import type { HeldRow, Leases, LeasedRow, SeenRow, WorkKey } from '../../db/durable/leases.js'
import type { Db } from '../../db/index.js'

/** Another process has the work, or it has ended: what this process still wants to write does not count. */
export class LostLease extends Error {
  override name = 'LostLease'
}

/** This process stops: another one, or the next start, goes on. */
export class Stopping extends Error {
  override name = 'Stopping'
}

/** A person asked to cancel the work. */
export class CancelRequested extends Error {
  override name = 'CancelRequested'
}

/** Each process that took the work up was lost with it: it is given up. */
export class LostTooOften extends Error {
  override name = 'LostTooOften'
}

/** Work that this process holds: its row as written last, and the fence that every write passes. */
export class HeldWork<Row extends LeasedRow> {
  /** Aborts with what ends or interrupts the work here: LostLease, Stopping, CancelRequested, or the kind's own. */
  readonly abort = new AbortController()
  constructor (private readonly db: Db, public row: Row) {}

  /**
   * One transaction of the work.
   * @param write changes the row under its epoch; undefined when the row is not under that epoch any more
   * @throws LostLease then, and nothing is written
   */
  async commit (write: (trx: Db) => Promise<Row | undefined>): Promise<void> {
    this.row = await this.db.transaction().execute(async (trx) => {
      const row = await write(trx)
      if (!row) throw new LostLease()
      return row
    })
  }
}

/** What the runner knows of work that it holds. */
export interface Holdable { row: LeasedRow & { attempts: number }, abort: AbortController }

/** A kind of durable work: its table, how it is done, and how it ends. The runner knows the rest. */
export interface DurableKind<Row extends LeasedRow, Work extends Holdable, Key = WorkKey,
  Seen extends SeenRow = HeldRow> {
  /** In the plural, for the log. */
  name: string
  /** Pieces of work that one process does at once. */
  atOnce: number
  leases: Leases<Row, Key, Seen>
  /** Makes of a row that was just claimed what `run` works on; undefined when what it needs is gone. */
  hold: (row: Row) => Work | Promise<Work | undefined>
  /** Does the work to its end, which it writes. Throws whatever is in its way, or `abort`'s reason. */
  run: (work: Work) => Promise<unknown>
  /**
   * Writes the end that an error means.
   * @param error the reason of the abort, where there was one
   * @param thrown what was thrown after it
   */
  fail: (work: Work, error: unknown, thrown: unknown) => Promise<unknown>
  /** Lets go of work at a stop, where the kind has more to write than `releaseLease` does. */
  release?: (work: Work) => Promise<unknown>
  /** How long work may go on at a stop before it is interrupted. */
  drainMs?: number
  /** Leases that may lapse one after the other before the work is given up: `fail` with LostTooOften. */
  maxLost: number
  /** Work that was left because of the database is released as soon as that answers, instead of lapsing. */
  returnsAfterOutage?: boolean
  /** What the row of held work says now; without it a cancel aborts the work with CancelRequested. */
  onRow?: (work: Work, row: Seen) => void
  /** What follows when work has left this process and there is room again. */
  after?: (work: Work) => Promise<unknown>
}
