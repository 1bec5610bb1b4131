import type { Spent } from '../../../../db/content/generation-progress.js'
import { ModelError } from '../../../../lib/llm/errors.js'
import type { ContentFailure } from '../../../../schemas/content/generation-failures.js'
import { ApiError } from '../../../../schemas/errors.js'
import type { BudgetedModel } from './budgeted-model.js'
import type { Deps } from './deps.js'
import { GenerationFailed } from './model/failures.js'
import type { Work } from './model/work.js'
import type { GenerationState } from './state.js'

const unforeseen: ContentFailure = { code: 'internal', message: 'Something went wrong here' }

/** @returns the failure to show for an error; the message of an unforeseen one is not shown */
export const failureOf = (error: unknown): ContentFailure =>
  error instanceof ModelError || error instanceof GenerationFailed || error instanceof ApiError
    ? { code: error.code, message: error.message }
    : unforeseen

const runStep = async <T>(deps: Deps, state: GenerationState, key: string, budgeted: BudgetedModel,
  run: Parameters<Work['step']>[1]): Promise<T> => {
  const total: Spent =
    { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0, cost_usd_micros: 0 }
  const ask = budgeted(async (spent) => {
    total.input_tokens += spent.input_tokens
    total.output_tokens += spent.output_tokens
    const { cost_usd_micros: cost } = spent
    total.cost_usd_micros = total.cost_usd_micros === null || cost === null ? null : total.cost_usd_micros + cost
    await state.write({ steps: [{ key, spent }] })
  })
  const result = await run(ask)
  state.abort.signal.throwIfAborted()
  deps.failpoint('content.worked')
  const { input_tokens, output_tokens, cost_usd_micros } = total
  await state.write({
    steps: [{ key, ends: { result } }],
    events: [{ event: 'step_completed', data: { step: key, input_tokens, output_tokens, cost_usd_micros } }]
  })
  deps.failpoint('content.stored')
  // The same value that is read back after a crash.
  return JSON.parse(JSON.stringify(result)) as T
}

/** @returns the function that runs the steps of one output: a finished step is not run again */
export const stepsOf = (deps: Deps, state: GenerationState, done: ReadonlyMap<string, unknown>, budgeted: BudgetedModel,
  number: number): Work['step'] => async <T>(name: string, run: Parameters<Work['step']>[1]): Promise<T> => {
  const key = `${number}:${name}`
  // The result of the step with this key.
  if (done.has(key)) return done.get(key) as T
  state.abort.signal.throwIfAborted()
  await state.write({ steps: [{ key, begins: true }], events: [{ event: 'step_started', data: { step: key } }] })
  deps.failpoint('content.step')
  try {
    return await runStep<T>(deps, state, key, budgeted, run)
  } catch (error) {
    if (!state.abort.signal.aborted) await state.write({ steps: [{ key, ends: { error: failureOf(error) } }] })
    throw error
  }
}
