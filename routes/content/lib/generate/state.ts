import type { GenerationRow } from '../../../../db/content/generations.js'
import {
  writeIn, type GenerationChange, type StepChange, type Told
} from '../../../../db/content/generation-progress.js'
import type { Db } from '../../../../db/index.js'
import { LostLease } from '../../../../plugins/leased-work.js'
import type { Deps } from './deps.js'

/** Somebody asked to cancel it. */
export class Cancelled extends Error {}

export interface Writes {
  change?: GenerationChange
  steps?: StepChange[]
  events?: Told[]
  /** Done in the same transaction, before the rest. @returns what else is told */
  first?: (trx: Db) => Promise<Told[]>
}

/** A generation that this process holds: its row as written last, and the fence that every write passes. */
export class GenerationState {
  /** Aborts with LostLease, Stopping, Cancelled or BudgetExceeded. */
  readonly abort = new AbortController()
  constructor (private readonly deps: Pick<Deps, 'db' | 'streams'>, public row: GenerationRow) {}

  /** @throws LostLease when the row is somebody else's by now; then nothing was written */
  async write ({ change = {}, steps = [], events = [], first }: Writes): Promise<void> {
    this.row = await this.deps.db.transaction().execute(async (trx) => {
      const more = await first?.(trx) ?? []
      const row = await writeIn(trx, this.row, change, steps, [...more, ...events])
      if (!row) throw new LostLease()
      return row
    })
    this.deps.streams.wake(this.row.id)
  }
}
