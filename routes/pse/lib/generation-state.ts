import type { GenerationRow } from '../../../db/pse/generations.js'
import { writeIn, type GenerationChange, type StepChange } from '../../../db/pse/progress.js'
import type { NewSpecEvent } from '../../../schemas/pse/events.js'
import type { Db } from '../../../db/index.js'
import { HeldWork } from '../../../lib/durable/held-work.js'
import type { Deps } from './deps.js'

/** A generation ends badly; the message is for people. */
export class GenerationFailed extends Error {
  constructor (readonly code: string, message: string) {
    super(message)
  }
}

export interface Writes {
  change?: GenerationChange
  steps?: StepChange[]
  events?: NewSpecEvent[]
  /** Done in the same transaction, before the rest; it holds the session's row first. */
  first?: (trx: Db) => Promise<void>
}

/** A generation that this process holds. It is also aborted with BudgetExceeded. */
export class GenerationState extends HeldWork<GenerationRow> {
  constructor (private readonly deps: Pick<Deps, 'db' | 'streams'>, row: GenerationRow) {
    super(deps.db, row)
  }

  /** @throws LostLease when another process holds the generation by now; then nothing is written */
  async write ({ change = {}, steps = [], events = [], first }: Writes): Promise<void> {
    await this.commit(async (trx) => {
      await first?.(trx)
      return writeIn(trx, this.row, change, steps, events)
    })
    if (events.length > 0) this.deps.streams.wake(this.row.session_id)
  }
}
