import type { GenerationRow } from '../../../../db/pse/generations.js'
import { writeIn, type GenerationChange, type StepChange } from '../../../../db/pse/progress.js'
import type { NewSpecEvent } from '../../../../schemas/pse/events.js'
import type { Db } from '../../../../db/index.js'
import { HeldWork } from '../../../../lib/durable/held-work.js'
import type { Deps } from '../deps.js'

/** Ends a generation as failed; people read the message. */
export class GenerationFailed extends Error {
  constructor (readonly code: string, message: string) {
    super(message)
  }
}

export interface Writes {
  change?: GenerationChange
  steps?: StepChange[]
  events?: NewSpecEvent[]
  /** Runs first in the same transaction, and locks the session's row. */
  first?: (trx: Db) => Promise<void>
}

/** A generation that this process holds under a lease; BudgetExceeded aborts it too. */
export class GenerationState extends HeldWork<GenerationRow> {
  constructor (private readonly deps: Pick<Deps, 'db' | 'streams'>, row: GenerationRow) {
    super(deps.db, row)
  }

  /** @throws LostLease when another process holds the generation; the transaction rolls back */
  async write ({ change = {}, steps = [], events = [], first }: Writes): Promise<void> {
    await this.commit(async (trx) => {
      await first?.(trx)
      return writeIn(trx, this.row, change, steps, events)
    })
    if (events.length > 0) this.deps.streams.wake(this.row.session_id)
  }
}
