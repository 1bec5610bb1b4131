import type { Db } from '../../../../db/index.js'
import { type GenerationRow, findResult } from '../../../../db/pse/generations.js'
import { writeIn, type GenerationChange, type StepChange } from '../../../../db/pse/progress.js'
import { HeldWork } from '../../../../lib/durable/kind.js'
import type { NewSpecEvent } from '../../../../schemas/pse/events.js'
import type { Deps } from '../errors.js'
import type { Step } from '../model/step.js'
import type { Repaired } from '../model/repair.js'

/** The usage of a step's model calls, including those of failed attempts. */
export type Spent = Record<typeof counted[number], number> & { cost_usd_micros: number | null }

const counted = ['model_calls', 'input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens'] as const

const nothingSpent: Spent = {
  model_calls: 0, input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0, cost_usd_micros: 0
}

const add = (total: Spent, { cost_usd_micros: cost, ...spent }: Spent): void => {
  for (const name of counted) total[name] += spent[name]
  total.cost_usd_micros = total.cost_usd_micros === null || cost === null ? null : total.cost_usd_micros + cost
}

type Keyed = Pick<Step, 'key' | 'fingerprint' | 'usesModel'>

const begin = ({ key, fingerprint, usesModel }: Keyed): StepChange =>
  ({ key, status: 'running', begins: true, ...(usesModel && { fingerprint }) })

const isRound = (key: string): boolean => key.startsWith('repair:')

const roundEvents = ({ row }: GenerationState, key: string, result: unknown): NewSpecEvent[] => {
  if (!isRound(key)) return []
  // Repair steps return this type.
  const { asked, accepted } = result as Repaired
  const round = Number(key.split(':')[1])
  return [{ event: 'repair_round', data: { generation_id: row.id, round, asked: asked.length, accepted } }]
}

/** Finds the result of the same step in an earlier, failed generation, so that it is not paid for twice. */
const findEarlier = async ({ db }: Deps, { row }: GenerationState, { usesModel, fingerprint }: Keyed) =>
  usesModel ? findResult(db, row, fingerprint) : undefined

/**
 * Runs a step and stores its result before anything uses it, so that a process that continues the generation does not
 * run it again.
 * @returns the step's result
 */
export const runStep = async (deps: Deps, state: GenerationState, step: Keyed,
  work: (spend: (spent: Spent) => Promise<void>) => Promise<unknown>): Promise<unknown> => {
  state.abort.signal.throwIfAborted()
  const { key } = step
  await state.write({
    change: { status: isRound(key) ? 'repairing' : 'running' },
    steps: [begin(step)],
    events: [{ event: 'step_started', data: { step: key } }]
  })
  deps.failpoint('pse.step')
  const total = { ...nothingSpent }
  const earlier = await findEarlier(deps, state, step)
  const result = earlier ?? await work(async (spent) => {
    add(total, spent)
    await state.write({ steps: [{ key, ...spent }] })
  })
  state.abort.signal.throwIfAborted()
  deps.failpoint('pse.worked')
  await state.write({
    steps: [{ key, status: 'done', result, error: null, ends: true }],
    events: [
      { event: 'step_completed', data: { step: key, reused: earlier !== undefined, ...total } },
      ...roundEvents(state, key, result)
    ]
  })
  deps.failpoint('pse.stored')
  return result
}

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
