import type { Deps } from './deps.js'
import type { GenerationState } from './generation-state.js'

/** What model calls of a step cost; a failed attempt's are counted too. */
export interface Spent {
  input_tokens: number
  output_tokens: number
  cache_read_tokens: number
  cache_write_tokens: number
  cost_usd_micros: number | null
}

export const nothingSpent: Spent =
  { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0, cost_usd_micros: 0 }

/**
 * Does a step: what it gave is a row before anything is made of it, so whoever takes the generation up does not do it
 * again. @returns the step's result
 */
export const runStep = async (deps: Deps, state: GenerationState, key: string,
  work: (spend: (spent: Spent) => Promise<void>) => Promise<unknown>): Promise<unknown> => {
  state.abort.signal.throwIfAborted()
  await state.write({
    steps: [{ key, status: 'running', begins: true }], events: [{ event: 'step_started', data: { step: key } }]
  })
  deps.crossing('pse.step')
  const total = { ...nothingSpent }
  const result = await work(async (spent) => {
    for (const name of ['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens'] as const) {
      total[name] += spent[name]
    }
    const { cost_usd_micros: cost } = spent
    total.cost_usd_micros = total.cost_usd_micros === null || cost === null ? null : total.cost_usd_micros + cost
    await state.write({ steps: [{ key, ...spent }] })
  })
  state.abort.signal.throwIfAborted()
  deps.crossing('pse.worked')
  await state.write({
    steps: [{ key, status: 'done', result, error: null, ends: true }],
    events: [{ event: 'step_completed', data: { step: key, ...total } }]
  })
  deps.crossing('pse.stored')
  return result
}
