import type { BriefChannel, ContentBody } from 'steward-prose-engine/schemas'
import { groundsOf } from 'steward-prose-engine/revision'
import { endOutputs, listOutputs, updateOutput, type OutputRow } from '../../../../db/content/generation-outputs.js'
import type { Spent } from '../../../../db/content/generation-progress.js'
import { dropResults, readResults } from '../../../../db/content/generations.js'
import { listStyleRules } from '../../../../db/content/brands.js'
import { findVersion } from '../../../../db/content/versions.js'
import { CancelRequested, LostLease } from '../../../../lib/durable/kind.js'
import { isUnavailable } from '../../../../lib/durable/watch.js'
import { BudgetExceeded } from '../../../../lib/llm/budget.js'
import { ModelError } from '../../../../lib/llm/errors.js'
import type { ContentFailure, GenerationMode } from '../../../../schemas/content/generation-words.js'
import { ApiError } from '../../../../schemas/errors.js'
import { messageOf } from '../../../../schemas/unknown.js'
import { brandOf } from '../brands/read-brand.js'
import { limitTime, makeBudgetedModel, type BudgetedModel } from './budgeted-model.js'
import type { Deps, GenerationState } from './generation-state.js'
import { compose } from './model/compose.js'
import { GenerationFailed } from './model/failures.js'
import { tasks, materialPrompt, systemPrompt, wordsOf } from './model/prompts.js'
import { repairRecord, rewrite, translate } from './model/revise.js'
import type { Work, Written } from './model/work.js'
import { storeOutput } from './store-output.js'

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

const requireBody = async (deps: Deps, workspaceId: string, id: string, version: number): Promise<ContentBody> => {
  const found = await findVersion(deps.db, workspaceId, id, version)
  if (!found) throw new GenerationFailed('content_deleted', 'The record is not there any more')
  return found.body
}

const lengthOf = ({ row }: GenerationState, { channel, network }: OutputRow): Pick<BriefChannel, 'length' | 'words'> =>
  [...row.request.channels ?? [], ...row.brief?.channels ?? []]
    .find((one) => one.channel === channel && (one.network ?? null) === network) ?? { length: 'medium' }

/** Loads the inputs of an output as of the request, so that a restart works with the same. */
export const loadWork = async (deps: Deps, state: GenerationState, output: OutputRow, step: Work['step']):
Promise<Work> => {
  const { workspace_id: workspaceId, brief, request, project_id, brand_version, plan } = state.row
  const { channel, network, locale, variant, source_id: sourceId, source_version: sourceVersion } = output
  const { settings: brand } = await brandOf(deps.db, workspaceId, project_id, brand_version)
  const styles = await listStyleRules(deps.db, workspaceId, project_id)
  const base = await requireBody(deps, workspaceId, output.content_id, output.base_version)
  const source = sourceId === null ? null : await requireBody(deps, workspaceId, sourceId, sourceVersion ?? 1)
  const isRevision = request.mode === 'rewrite' || request.mode === 'sections' || request.mode === 'repair'
  const sources = [...source ? [source] : [], ...isRevision ? [base] : []]
  return {
    output,
    brief,
    base,
    source,
    measure: { channel, network, locale, brand, brand_version, styles, grounds: groundsOf(brief, sources) },
    request: {
      brief,
      channel,
      network,
      variant,
      words: wordsOf(lengthOf(state, output)),
      instructions: request.instructions ?? ''
    },
    system: systemPrompt(brand, channel, locale),
    material: materialPrompt(brief, sources),
    maxRounds: plan?.budget.max_repair_rounds ?? 0,
    targets: request.mode === 'sections' ? request.targets ?? [] : [],
    step,
    append: (event) => state.write({ events: [event] })
  }
}

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
