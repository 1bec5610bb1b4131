import { dropResults, readResults } from '../../../../db/content/generations.js'
import { endOutputs, listOutputs, updateOutput, type OutputRow } from '../../../../db/content/generation-outputs.js'
import { CancelRequested, LostLease } from '../../../../lib/durable/errors.js'
import { isUnavailable } from '../../../../lib/durable/unavailable.js'
import { BudgetExceeded } from '../../../../lib/llm/budget.js'
import type { ContentFailure } from '../../../../schemas/content/generation-failures.js'
import type { GenerationMode } from '../../../../schemas/content/generation-words.js'
import { limitTime, makeBudgetedModel, type BudgetedModel } from './budgeted-model.js'
import type { Deps } from './deps.js'
import { loadWork } from './load-work.js'
import { compose } from './model/compose.js'
import { GenerationFailed } from './model/failures.js'
import { tasks } from './model/prompts.js'
import { repairRecord, rewrite, translate } from './model/revise.js'
import type { Work, Written } from './model/work.js'
import type { GenerationState } from './state.js'
import { failureOf, stepsOf } from './steps.js'
import { storeOutput } from './store-output.js'
import { messageOf } from '../../../../schemas/thrown.js'

/** Fails one output; the others go on. */
const failOutput = (deps: Deps, state: GenerationState, { number, content_id }: OutputRow, thrown: unknown) => {
  const { workspace_id: workspaceId, id } = state.row
  const error = failureOf(thrown)
  if (error.code === 'internal') {
    deps.log.error({ generation: id, reason: messageOf(thrown) }, 'an output of a generation failed')
  }
  return state.write({
    first: async (trx) => {
      await updateOutput(trx, workspaceId, id, { number, status: 'failed', error })
      return [{ event: 'output_failed', data: { number, content_id, error } }]
    }
  })
}

/** @returns whether an error ends the run of the whole generation, not only of one output */
const isTheEnd = (state: GenerationState, error: unknown): boolean =>
  state.abort.signal.aborted || error instanceof BudgetExceeded || error instanceof LostLease ||
  isUnavailable(error)

/** Writes one output as its mode says. @throws GenerationFailed, ModelError, BudgetExceeded */
const writeOutput = (work: Work, mode: GenerationMode): Promise<Written> => {
  switch (mode) {
    case 'translate': return translate(work, (units) => tasks.translate(work.request, work.output.locale, units))
    case 'rewrite': case 'sections': return rewrite(work, (units) => tasks.rewrite(work.request, units))
    case 'repair': return repairRecord(work)
    default: return compose(work)
  }
}

const runOutput = async (deps: Deps, state: GenerationState, done: Map<string, unknown>, budgeted: BudgetedModel,
  output: OutputRow): Promise<void> => {
  try {
    const step = stepsOf(deps, state, done, budgeted, output.number)
    const work = await loadWork(deps, state, output, step)
    const written = await writeOutput(work, state.row.mode)
    state.abort.signal.throwIfAborted()
    deps.failpoint('content.output')
    await storeOutput(state, work, written)
  } catch (error) {
    if (!isTheEnd(state, error)) return failOutput(deps, state, output, error)
    // Aborts the other outputs too.
    state.abort.abort(error)
    throw error
  }
}

const endingOf = (outputs: OutputRow[]) => {
  const failed = outputs.filter(({ status }) => status === 'failed')
  if (failed.length === 0) return { status: 'succeeded' as const, event: 'generation_succeeded' as const }
  if (failed.length < outputs.length) return { status: 'partial' as const, event: 'generation_succeeded' as const }
  return { status: 'failed' as const, event: 'generation_failed' as const, error: failed[0]?.error ?? null }
}

const finish = async (deps: Deps, state: GenerationState): Promise<void> => {
  const { workspace_id: workspaceId, id } = state.row
  const { status, event, error = null } = endingOf(await listOutputs(deps.db, workspaceId, [id]))
  await state.write({
    first: async (trx) => {
      if (status === 'succeeded') await dropResults(trx, workspaceId, id)
      return []
    },
    change: { status, error },
    events: [{ event, data: { status, error } }]
  })
}

/** Runs a generation to its end. */
export const runGeneration = async (deps: Deps, state: GenerationState): Promise<void> => {
  const { workspace_id: workspaceId, id, engine, mode, status, plan } = state.row
  if (plan === null) throw new GenerationFailed('internal', 'It was to be done by rules')
  if (status === 'queued') {
    await state.write({
      change: { status: 'running' }, events: [{ event: 'generation_started', data: { engine, mode } }]
    })
  }
  const done = await readResults(deps.db, workspaceId, id)
  const budgeted = await makeBudgetedModel(deps, state, plan)
  const stopClock = limitTime(state, plan)
  try {
    const outputs = await listOutputs(deps.db, workspaceId, [id])
    // The generation waits for all of its outputs: the answers of the model are paid for, and are stored.
    await Promise.allSettled(outputs.filter((output) => output.status === 'pending')
      .map((output) => runOutput(deps, state, done, budgeted, output)))
    state.abort.signal.throwIfAborted()
  } finally {
    stopClock()
  }
  await finish(deps, state)
}

/** Ends a generation with the status that an error stands for. */
export const failGeneration = async (state: GenerationState, thrown: unknown): Promise<void> => {
  const isCancelled = thrown instanceof CancelRequested
  const isOverBudget = thrown instanceof BudgetExceeded
  const status = isCancelled ? 'cancelled' as const : isOverBudget ? 'budget_exceeded' as const : 'failed' as const
  const error: ContentFailure = isCancelled
    ? { code: 'cancelled', message: 'It was cancelled' }
    : isOverBudget ? { code: 'budget_exceeded', message: thrown.message } : failureOf(thrown)
  const { workspace_id: workspaceId, id } = state.row
  await state.write({
    first: async (trx) => {
      await endOutputs(trx, workspaceId, id, isCancelled ? 'cancelled' : 'failed', error)
      return []
    },
    change: { status, error },
    events: [{ event: isCancelled ? 'generation_cancelled' : 'generation_failed', data: { status, error } }]
  })
}
