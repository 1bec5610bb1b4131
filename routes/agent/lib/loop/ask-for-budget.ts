import { v7 as uuid } from 'uuid'
import type { ConfirmationRow } from '../../../../db/agent/commit-run.js'
import type { ModelCallRow } from '../../../../db/model-spend.js'
import { findProposalFacts } from '../../../../db/agent/calls.js'
import type { DayBudgetReached } from '../../../../lib/llm/gate.js'
import { digestOf } from '../../../../lib/tools/digest.js'
import { commit } from '../run/commit.js'
import { finishRun, toMoney } from '../run/finish.js'
import { questionEvent } from '../plans/propose-call.js'
import type { Advance, Deps, RunState } from '../run/run-state.js'

/** Counts what a model call that was just made is charged. */
export const addSpent = (state: RunState, row: ModelCallRow): void => {
  const { usage, budget } = state
  usage.model_calls++
  usage.input_tokens += row.input_tokens
  usage.output_tokens += row.output_tokens
  usage.cache_read_tokens += row.cache_read_tokens
  usage.cost_usd_micros += row.cost_usd_micros
  budget.sessionSpent += row.cost_usd_micros
}

/** @returns whether the run or its session has spent its budget; each call checks that of the person's day */
export const isOverBudget = ({ usage, budget }: RunState): boolean =>
  usage.cost_usd_micros >= budget.run || budget.sessionSpent >= budget.session

const budgetQuestion = async (deps: Deps, state: RunState): Promise<ConfirmationRow> => {
  const { workspace_id: workspaceId, user_id: userId } = state.key
  const { budget_run_usd: step, confirmation_ttl_s: ttl } = deps.workspaces.limitsOf(workspaceId)
  const args = { raise_by_usd: step }
  const digest = digestOf({ name: 'raise_budget', version: '1', args, workspaceId, userId })
  const { expires_at } = await findProposalFacts(deps.db, workspaceId, state.key, { name: 'raise_budget', args }, ttl)
  const { usage, budget } = state
  const whose = usage.cost_usd_micros >= budget.run
    ? { name: 'run', spent: usage.cost_usd_micros, micros: budget.run }
    : { name: 'conversation', spent: budget.sessionSpent, micros: budget.session }
  const spent = toMoney(whose.spent).amount
  const now = whose.micros / 1_000_000
  return {
    id: uuid(),
    kind: 'budget',
    tool_call_id: null,
    name: 'raise_budget',
    arguments: args,
    target: null,
    facts: null,
    replaces: null,
    thread_id: null,
    requirement: null,
    summary: `This ${whose.name} has cost ${spent} USD of ${now} USD. Let it cost ${step} USD more?`,
    preview: [{ label: `Budget of this ${whose.name} in USD`, before: String(now), after: String(now + step) }],
    risk: 'low',
    risk_reasons: ['raises_budget'],
    editable: [],
    input_digest: digest,
    expires_at: expires_at.toISOString()
  }
}

/** Only the operator raises the budget of a day. */
export const endForDayBudget = async (deps: Deps, state: RunState, { whose }: DayBudgetReached): Promise<Advance> => {
  await finishRun(deps, state, {
    status: 'completed', reason: `budget_${whose}_day_reached`, stopReason: 'budget_reached'
  })
  return 'stop'
}

/** The end of a run whose budget nobody raises. */
export const endForBudget = async (deps: Deps, state: RunState): Promise<Advance> => {
  await finishRun(deps, state, { status: 'completed', reason: 'budget_reached', stopReason: 'budget_reached' })
  return 'stop'
}

/** Asks the person whether the run may cost more; a refusal ends the run. */
export const askForBudget = async (deps: Deps, state: RunState): Promise<Advance> => {
  if (state.budget.refused) return endForBudget(deps, state)
  const confirmation = await budgetQuestion(deps, state)
  await commit(deps, state, { status: 'awaiting_confirmation', confirmations: [confirmation] },
    [questionEvent(state, confirmation)])
  return 'stop'
}
