import type { FastifyInstance } from 'fastify'
import { writeIn, type GenerationChange, type StepChange } from '../../../../db/content/generation-progress.js'
import type { GenerationRow } from '../../../../db/content/generations.js'
import type { Db } from '../../../../db/index.js'
import { HeldWork } from '../../../../lib/durable/kind.js'
import type { NewContentEvent } from '../../../../schemas/content/generation-records.js'

/** The dependencies of generations. */
export type Deps = Pick<FastifyInstance,
  'db' | 'database' | 'streams' | 'jobs' | 'log' | 'config' | 'failpoint' | 'llm' | 'telemetry' | 'workspaces'>

export interface Writes {
  change?: GenerationChange
  steps?: StepChange[]
  events?: NewContentEvent[]
  /** Runs in the same transaction, before the rest. @returns further events */
  first?: (trx: Db) => Promise<NewContentEvent[]>
}

/** A generation that this process holds. BudgetExceeded aborts it too. */
export class GenerationState extends HeldWork<GenerationRow> {
  constructor (private readonly deps: Pick<Deps, 'db' | 'streams'>, row: GenerationRow) {
    super(deps.db, row)
  }

  /** @throws LostLease when another process holds the generation; then nothing is written */
  async write ({ change = {}, steps = [], events = [], first }: Writes): Promise<void> {
    await this.commit(async (trx) => {
      const more = await first?.(trx) ?? []
      return writeIn(trx, this.row, change, steps, [...more, ...events])
    })
    this.deps.streams.wake(this.row.id)
  }
}
