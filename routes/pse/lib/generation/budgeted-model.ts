import { listSteps, secondsOf, type StepRow } from '../../../../db/pse/generations.js'
import { makeAsk, makeReader, type AskOptions } from '../../../../lib/llm/ask.js'
import { BudgetExceeded, CallBudget, type Caps, type Used } from '../../../../lib/llm/budget.js'
import { capsOf } from '../../../../lib/llm/plan.js'
import { recordCallsOf } from '../../../../lib/llm/record-calls.js'
import type { Deps } from '../deps.js'
import { costOfSteps, sum } from './describe-generation.js'
import type { GenerationTask } from 'steward-spec-engine/engine'
import { GenerationFailed, type GenerationState } from './generation-state.js'
import type { Model } from '../model/pipeline.js'
import type { Spent } from './run-step.js'
import type { NewSpecEvent } from '../../../../schemas/pse/events.js'

export type BudgetedModel = (spend: (spent: Spent) => Promise<void>) => Model

const refuse = () => {
  throw new GenerationFailed('model_not_configured', 'The template engine asks no model')
}
const noModel: Model = { ask: refuse, read: refuse }

const usedBy = (steps: StepRow[]): Used => ({
  cost_usd_micros: costOfSteps(steps) ?? 0,
  output_tokens: sum(steps, 'output_tokens'),
  model_calls: sum(steps, 'model_calls')
})

const near = 0.8

/** @returns the caps that are used to four fifths or more */
const nearlyUsed = (caps: Caps, used: Used): (keyof Caps)[] =>
  (['cost_usd_micros', 'output_tokens', 'model_calls'] as const)
    .filter((cap) => used[cap] > 0 && used[cap] >= near * (caps[cap] ?? Infinity))

/** Emits one budget_warning for each cap that is nearly used up. */
class Warner {
  readonly #warned: Set<keyof Caps>

  constructor (private readonly state: GenerationState, private readonly budget: CallBudget) {
    this.#warned = new Set(nearlyUsed(budget.caps, budget.used))
  }

  async warnWhenNear (): Promise<void> {
    const { caps, used } = this.budget
    const fresh = nearlyUsed(caps, used).filter((cap) => !this.#warned.has(cap))
    for (const cap of fresh) this.#warned.add(cap)
    if (fresh.length === 0) return
    const { id: generation_id } = this.state.row
    // nearlyUsed returns only caps that are set.
    const events = fresh.map((cap): NewSpecEvent =>
      ({ event: 'budget_warning', data: { generation_id, cap, used: used[cap], limit: caps[cap] ?? 0 } }))
    await this.state.write({ events })
  }
}

/** The generation's budget, minus what earlier holders of the generation spent. */
const restOf = async (deps: Deps, { row }: GenerationState, model: string): Promise<CallBudget> => {
  const steps = await listSteps(deps.db, row.workspace_id, [row.id])
  const by = deps.llm.of(row.workspace_id)
  return new CallBudget(capsOf(deps, row.request.budget ?? {}), (usage) => by.cost(usage, model), usedBy(steps))
}

/** @returns the model client of a step; it records the cost of every call with the step */
export const makeBudgetedModel = async (deps: Deps, state: GenerationState, task: GenerationTask):
Promise<BudgetedModel> => {
  const { model } = state.row
  if (model === null) return () => noModel
  const { model_idle_ms: idleMs, model_retry_base_ms: retryBaseMs } = deps.config.limits
  const budget = await restOf(deps, state, model)
  const warner = new Warner(state, budget)
  return (spend) => {
    const options: AskOptions = {
      model,
      budget,
      idleMs,
      retryBaseMs,
      redact: task.redact,
      signal: state.abort.signal,
      payer: { workspace_id: state.row.workspace_id, user_id: state.row.created_by },
      purpose: { purpose: 'spec', generation_id: state.row.id },
      onSpend: async (spent) => {
        await spend({ ...spent, model_calls: 1 })
        await warner.warnWhenNear()
      },
      onCall: recordCallsOf(deps, state.row.id)
    }
    return { ask: makeAsk(deps.llm, options), read: makeReader(deps.llm, options) }
  }
}

/** Aborts the generation when its time is over. @returns a function that stops the timer */
export const limitTime = async ({ db }: Deps, { row, abort }: GenerationState): Promise<() => void> => {
  const seconds = row.request.budget?.max_seconds
  if (seconds === undefined) return () => {}
  const over = () => abort.abort(new BudgetExceeded(`It took longer than ${seconds} seconds`))
  const timer = setTimeout(over, Math.max(0, seconds - await secondsOf(db, row)) * 1_000)
  return () => clearTimeout(timer)
}
