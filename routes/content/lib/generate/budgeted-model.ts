import { listSteps } from '../../../../db/content/generations.js'
import type { StoredPlan } from '../../../../db/content/generation-tables.js'
import type { Spent } from '../../../../db/content/generation-progress.js'
import { makeAsk, type AskModel } from '../../../../lib/llm/ask.js'
import { BudgetExceeded, CallBudget } from '../../../../lib/llm/budget.js'
import { capsOf } from '../../../../lib/llm/plan.js'
import { recordCallsOf } from '../../../../lib/llm/connected-model.js'
import type { Usage } from '../../../../lib/llm/turn.js'
import type { Deps, GenerationState } from './generation-state.js'

/** Concurrent model calls of one generation. */
const parallel = 4
const warnAtPct = 80

/** @returns a function that runs so many at a time, the others in their order */
const limiter = (most: number) => {
  let free = most
  const waiting: (() => void)[] = []
  return async <T>(run: () => Promise<T>): Promise<T> => {
    // A finished run passes its slot to the next one.
    if (free > 0) free--
    else await new Promise<void>((resolve) => { waiting.push(resolve) })
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

/** Makes the model client of one step; `onSpend` gets the cost of its calls. */
export type BudgetedModel = (onSpend: (spent: Spent) => Promise<void>) => AskModel

const spentPct = ({ caps, used }: CallBudget): number => Math.floor(100 * Math.max(
  used.output_tokens / caps.output_tokens,
  caps.cost_usd_micros ? used.cost_usd_micros / caps.cost_usd_micros : 0))

const usedBefore = async (deps: Deps, { row }: GenerationState) => {
  const steps = await listSteps(deps.db, row.workspace_id, [row.id])
  return {
    output_tokens: steps.reduce((sum, step) => sum + step.output_tokens, 0),
    cost_usd_micros: steps.reduce((sum, step) => sum + (step.cost_usd_micros ?? 0), 0),
    model_calls: steps.reduce((sum, step) => sum + step.attempt, 0)
  }
}

/** All model calls of a generation share one budget, including what it spent before a restart. */
export const makeBudgetedModel = async (deps: Deps, state: GenerationState, plan: StoredPlan):
Promise<BudgetedModel> => {
  const { llm, config: { limits } } = deps
  const priceOf = (usage: Usage) => llm.of(state.row.workspace_id).cost(usage, plan.model)
  const budget = new CallBudget(capsOf(deps, plan.budget), priceOf, await usedBefore(deps, state))
  const limit = limiter(parallel)
  let warned = state.row.warned_at !== null
  const warn = async () => {
    const spent_pct = spentPct(budget)
    if (warned || spent_pct < warnAtPct) return
    warned = true
    await state.write({ change: { warned: true }, events: [{ event: 'budget_warning', data: { spent_pct } }] })
  }
  return (onSpend) => {
    const ask = makeAsk(llm, {
      model: plan.model,
      signal: state.abort.signal,
      budget,
      redact: true,
      idleMs: limits.model_idle_ms,
      retryBaseMs: limits.model_retry_base_ms,
      payer: { workspace_id: state.row.workspace_id, user_id: state.row.created_by },
      purpose: { purpose: 'content', generation_id: state.row.id },
      onSpend: async (spent) => {
        await onSpend(spent)
        await warn()
      },
      onCall: recordCallsOf(deps, state.row.id)
    })
    return (prompt) => limit(() => ask(prompt))
  }
}

/** Aborts the generation at its time limit, counted from its first start. @returns a function that stops the timer */
export const limitTime = (state: GenerationState, { budget }: StoredPlan): (() => void) => {
  const since = Date.now() - (state.row.started_at?.getTime() ?? Date.now())
  const { max_seconds: seconds } = budget
  const timer = setTimeout(() => state.abort.abort(new BudgetExceeded(`It took longer than ${seconds} s`)),
    Math.max(0, seconds * 1_000 - since)).unref()
  return () => clearTimeout(timer)
}
