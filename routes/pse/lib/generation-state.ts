import type { GenerationRow } from '../../../db/pse/generations.js'
import { writeIn, type GenerationChange, type NewEvent, type StepChange } from '../../../db/pse/progress.js'
import type { Db } from '../../../db/index.js'
import { LostLease } from '../../../plugins/leased-work.js'
import type { Deps } from './deps.js'

/** Somebody asked to cancel it. */
export class Cancelled extends Error {}

/** A generation ends badly; the message is for people. */
export class GenerationFailed extends Error {
  constructor (readonly code: string, message: string) {
    super(message)
  }
}

export interface Writes {
  change?: GenerationChange
  steps?: StepChange[]
  events?: NewEvent[]
  /** Done in the same transaction, before the rest; it holds the session's row first. */
  first?: (trx: Db) => Promise<void>
}

/** A generation that this process holds: its row as written last, and the fence that every write passes. */
export class GenerationState {
  /** Aborts with LostLease, Stopping, Cancelled or BudgetExceeded. */
  readonly abort = new AbortController()
  constructor (private readonly deps: Pick<Deps, 'db' | 'streams'>, public row: GenerationRow) {}

  /** @throws LostLease when the row is somebody else's by now; then nothing was written */
  async write ({ change = {}, steps = [], events = [], first }: Writes): Promise<void> {
    this.row = await this.deps.db.transaction().execute(async (trx) => {
      await first?.(trx)
      const row = await writeIn(trx, this.row, change, steps, events)
      if (!row) throw new LostLease()
      return row
    })
    if (events.length > 0) this.deps.streams.wake(this.row.session_id)
  }
}
