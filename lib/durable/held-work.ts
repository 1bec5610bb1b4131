import type { LeasedRow } from '../../db/durable/leases.js'
import type { Db } from '../../db/index.js'
import { LostLease } from './errors.js'

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
