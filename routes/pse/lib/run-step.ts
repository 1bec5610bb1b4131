import { readResult } from '../../../db/pse/generations.js'
import type { Deps } from './deps.js'
import type { GenerationState } from './generation-state.js'

/** What a model call of a step cost; a failed attempt's is counted too. */
export interface Spent {
  input_tokens: number
  output_tokens: number
  cache_read_tokens: number
  cache_write_tokens: number
  cost_usd_micros: number | null
}

export const nothingSpent: Spent =
  { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0, cost_usd_micros: 0 }

export interface StepOutcome { result: unknown, spent?: Spent }

/**
 * Does a step once: what it gave is a row before anything is made of it, and one that is done is not done again, by
 * whoever takes the generation up. @returns the step's result, as JSON tells it
 */
export const runStep = async (deps: Deps, state: GenerationState, key: string,
  work: () => Promise<StepOutcome> | StepOutcome): Promise<unknown> => {
  const known = await readResult(deps.db, state.row.workspace_id, state.row.id, key)
  if (known !== undefined) return known
  state.abort.signal.throwIfAborted()
  await state.write({
    steps: [{ key, status: 'running', begins: true }], events: [{ event: 'step_started', data: { step: key } }]
  })
  deps.crossing('pse.step')
  const { result, spent = nothingSpent } = await work()
  state.abort.signal.throwIfAborted()
  deps.crossing('pse.worked')
  await state.write({
    steps: [{ key, status: 'done', result, error: null, ends: true, ...spent }],
    events: [{ event: 'step_completed', data: { step: key, ...spent } }]
  })
  return result
}
