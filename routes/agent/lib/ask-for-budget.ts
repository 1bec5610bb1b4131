import { v7 as uuid } from 'uuid'
import type { ConfirmationRow } from '../../../db/agent/commit-run.js'
import { spentToday } from '../../../db/agent/runs.js'
import { findProposalFacts } from '../../../db/agent/calls.js'
import { digestOf } from './digest.js'
import { commit } from './commit.js'
import { finishRun, toMoney } from './finish.js'
import type { Advance, Deps, RunState } from './run-state.js'

const refreshMs = 30_000

/** What users spent today: as the table said lately, and what this process spent since; no chat waits for it. */
const daily = new Map<string, { micros: number; at: number }>()

const dayKey = ({ key }: RunState) => `${key.workspace_id}:${key.user_id}`

/** Counts a model call that was just made. */
export const addSpent = (state: RunState, micros: number): void => {
  state.usage.cost_usd_micros += micros
  state.budget.sessionSpent += micros
  const today = daily.get(dayKey(state))
  if (today) today.micros += micros
}

const spentByUser = async (deps: Deps, state: RunState): Promise<number> => {
  const { workspace_id, user_id } = state.key
  const id = dayKey(state)
  const known = daily.get(id)
  if (known && Date.now() - known.at < refreshMs) return known.micros
  const fetched = spentToday(deps.db, workspace_id, user_id).then((micros) => {
    daily.set(id, { micros, at: Date.now() })
    return micros
  })
  if (!known) return fetched
  fetched.catch((error: unknown) => deps.log.warn({ reason: (error as Error).message }, 'spend of the day not read'))
  return known.micros
}

/** @returns whether the next model call would pass a budget of the run or its session */
export const isOverBudget = async (deps: Deps, state: RunState): Promise<boolean> => {
  if (state.usage.cost_usd_micros >= state.budget.run || state.budget.sessionSpent >= state.budget.session) {
    return true
  }
  return (await spentByUser(deps, state)) >= deps.config.limits.budget_user_day_usd * 1_000_000
}

const budgetQuestion = async (deps: Deps, state: RunState): Promise<ConfirmationRow> => {
  const { workspace_id: workspaceId, user_id: userId, session_id } = state.key
  const { budget_run_usd: step, confirmation_ttl_s: ttl } = deps.config.limits
  const args = { raise_by_usd: step }
  const digest = digestOf({ name: 'raise_budget', version: '1', args, workspaceId, userId })
  const facts = await findProposalFacts(deps.db, workspaceId, session_id, digest, ttl)
  const { usage, budget } = state
  const whose = usage.cost_usd_micros >= budget.run
    ? { name: 'run', spent: usage.cost_usd_micros, micros: budget.run }
    : { name: 'conversation', spent: budget.sessionSpent, micros: budget.session }
  const spent = toMoney(whose.spent, state.model)?.amount ?? '0'
  const now = whose.micros / 1_000_000
  return {
    id: uuid(),
    kind: 'budget',
    tool_call_id: null,
    name: 'raise_budget',
    arguments: args,
    summary: `This ${whose.name} has cost ${spent} USD of ${now} USD. Let it cost ${step} USD more?`,
    preview: [{ label: `Budget of this ${whose.name} in USD`, before: String(now), after: String(now + step) }],
    risk: 'low',
    editable: [],
    input_digest: digest,
    expires_at: facts.expires_at.toISOString()
  }
}

/** Asks the person whether the run may cost more; a day's cap, or a refusal, ends the run. */
export const askForBudget = async (deps: Deps, state: RunState): Promise<Advance> => {
  const { run, session, sessionSpent, refused } = state.budget
  const overOwn = state.usage.cost_usd_micros >= run || sessionSpent >= session
  if (refused || !overOwn) {
    const reason = refused ? 'budget_reached' : 'budget_user_day_reached'
    await finishRun(deps, state, { status: 'completed', reason, stopReason: 'budget_reached' })
    return 'stop'
  }
  const confirmation = await budgetQuestion(deps, state)
  const { id: confirmation_id, ...shown } = confirmation
  const { session_id, run_id } = state.key
  await commit(deps, state, { status: 'awaiting_confirmation', confirmations: [confirmation] }, [
    { event: 'confirmation_required', data: { confirmation_id, session_id, run_id, ...shown } }
  ])
  return 'stop'
}
