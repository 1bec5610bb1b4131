import { generationLeases } from '../../../db/pse/leases.js'
import { listSteps } from '../../../db/pse/generations.js'
import type { StepChange } from '../../../db/pse/progress.js'
import { isDatabaseTrouble } from '../../../db/trouble.js'
import { LostLease, Stopping } from '../../../plugins/leased-work.js'
import { BudgetExceeded } from '../../../plugins/llm-budget.js'
import { ModelError } from '../../../plugins/llm-errors.js'
import { checkVersion } from './check-version.js'
import type { Deps } from './deps.js'
import { Cancelled, GenerationFailed, type GenerationState } from './generation-state.js'
import { propose, taskOf } from './propose.js'
import { storeVersion } from './store-version.js'

const cancelled = { code: 'cancelled', message: 'It was cancelled' }
const unforeseen = { code: 'internal', message: 'Something went wrong here' }

const endingOf = (error: unknown) => {
  if (error instanceof Cancelled) return { status: 'cancelled' as const, event: 'generation_cancelled' }
  if (error instanceof BudgetExceeded) {
    const failure = { code: 'budget_exceeded', message: error.message }
    return { status: 'budget_exceeded' as const, event: 'generation_failed', error: failure }
  }
  const isKnown = error instanceof GenerationFailed || error instanceof ModelError
  const failure = isKnown ? { code: error.code, message: error.message } : unforeseen
  return { status: 'failed' as const, event: 'generation_failed', error: failure }
}

/** Finished steps stay as they are; the one in flight failed. */
const fail = async (deps: Deps, state: GenerationState, thrown: unknown): Promise<void> => {
  const { status, event, error } = endingOf(thrown)
  if (error === unforeseen) {
    deps.log.error({ generation: state.row.id, reason: (thrown as Error).message }, 'a generation failed')
  }
  const open = await listSteps(deps.db, state.row.workspace_id, [state.row.id])
  const steps = open.flatMap(({ key, status: before }): StepChange[] => {
    if (before === 'pending') return [{ key, status: 'skipped' }]
    return before === 'running' ? [{ key, status: 'failed', ends: true, error: error ?? cancelled }] : []
  })
  const { id: generation_id } = state.row
  await state.write({
    change: { status, ...(error && { error }) },
    steps,
    events: [{ event, data: { generation_id, status, error: error ?? null } }]
  })
}

const generate = async (deps: Deps, state: GenerationState): Promise<void> => {
  const { id: generation_id, engine, mode, status } = state.row
  if (status === 'queued') {
    await state.write({
      change: { status: 'running' }, events: [{ event: 'generation_started', data: { generation_id, engine, mode } }]
    })
  }
  if (mode === 'check') return checkVersion(deps, state)
  const task = await taskOf(deps, state)
  const proposal = await propose(deps, state, task)
  await state.write({ change: { status: 'merging' } })
  await storeVersion(deps, state, proposal, task)
}

/** A database that went away says nothing of the generation; one that always does ends it all the same. */
const isLeft = ({ config }: Deps, { row }: GenerationState, reason: unknown): boolean =>
  reason instanceof LostLease || reason instanceof Stopping ||
  (isDatabaseTrouble(reason) && row.attempts < config.limits.crash_attempts)

/** Carries a generation that this process holds to its end, or as far as it may. Never throws. */
export const runGeneration = async (deps: Deps, state: GenerationState): Promise<void> => {
  try {
    await generate(deps, state).catch((error: unknown) => {
      const reason: unknown = state.abort.signal.aborted ? state.abort.signal.reason : error
      if (isLeft(deps, state, reason)) throw reason
      return fail(deps, state, reason)
    })
  } catch (error) {
    if (error instanceof Stopping) {
      return generationLeases.handOver(deps.db, state.row).catch(({ message: reason }: Error) =>
        deps.log.warn({ generation: state.row.id, reason }, 'a generation was not handed over'))
    }
    // Its lease lapses, and whoever takes it up goes on after the last step that is done.
    deps.log.warn({ generation: state.row.id, reason: (error as Error).message || 'lost' },
      'a generation is not ours any more')
  }
}
