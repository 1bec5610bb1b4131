import { endOutputs, findBusy, listOutputs, type OutputRow } from '../../../../db/content/generation-outputs.js'
import { writeIn } from '../../../../db/content/generation-progress.js'
import type { StoredPlan } from '../../../../db/content/generation-tables.js'
import { copySteps, findGeneration, markCancelled, type GenerationRow } from '../../../../db/content/generations.js'
import { activeStatuses } from '../../../../schemas/content/generation-words.js'
import { planModel } from '../../../../lib/llm/plan.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { ContentGeneration, RetryContentGeneration } from '../../../../schemas/content/generation-records.js'
import { NotFound } from '../../../../schemas/errors.js'
import { GenerationFinished, GenerationInProgress, GenerationState as GenerationStateError } from '../errors.js'
import type { Deps } from './generation-state.js'
import { describeRetry } from './describe.js'
import { mapBusyRecord, enqueueGeneration, insertWith } from './start.js'
import { isOneOf } from '../../../../schemas/unknown.js'

/**
 * Ends an unclaimed generation; for a claimed one it stores the request, which the worker sees.
 * @throws not_found, generation_finished
 */
export const cancelGeneration = async (deps: Pick<Deps, 'db' | 'streams'>, workspaceId: string, id: string):
Promise<GenerationRow> => {
  const row = await deps.db.transaction().execute(async (trx) => {
    const row = await markCancelled(trx, workspaceId, id)
    if (!row) throw NotFound()
    if (row.status === 'cancelled') return row
    if (row.finished_at !== null) throw GenerationFinished(`It is ${row.status}`)
    if (row.lease_owner !== null) return row
    const error = { code: 'cancelled', message: 'It was cancelled' }
    await endOutputs(trx, workspaceId, id, 'cancelled', error)
    return await writeIn(trx, row, { status: 'cancelled', error }, [],
      [{ event: 'generation_cancelled', data: { status: 'cancelled', error } }]) ?? row
  })
  deps.streams.wake(id)
  return row
}

/** The remaining outputs of a generation, and the model and budget to continue with. */
interface Rest { before: GenerationRow, plan: StoredPlan, outputs: OutputRow[] }

const restOf = async (deps: Deps, workspaceId: string, id: string, input: RetryContentGeneration): Promise<Rest> => {
  const before = await findGeneration(deps.db, workspaceId, id)
  if (!before) throw NotFound()
  const outputs = (await listOutputs(deps.db, workspaceId, [id])).filter(({ status }) => status !== 'done')
  const isActive = isOneOf(activeStatuses, before.status)
  if (isActive || outputs.length === 0 || before.plan === null) throw GenerationStateError(`It is ${before.status}`)
  const budget = input.budget ?? before.request.budget
  // Without a requested model the configured one continues: the earlier one may be retired.
  const plan = planModel(deps, workspaceId, { engine: 'model', model: before.request.model, budget }) ?? before.plan
  return { before, plan, outputs }
}

/** @returns the generation that a retry would make. @throws as retryGeneration */
export const planRetry = async (deps: Deps, { workspace_id: workspaceId }: Principal, id: string,
  input: RetryContentGeneration): Promise<ContentGeneration> => {
  const { before, plan, outputs } = await restOf(deps, workspaceId, id, input)
  const busy = await findBusy(deps.db, workspaceId, outputs.map(({ content_id }) => content_id))
  if (busy !== undefined) throw GenerationInProgress(undefined, { generation_id: busy })
  return describeRetry({ ...before, plan }, outputs)
}

/**
 * Continues a generation that ended early: a new one takes over the remaining outputs and the finished steps.
 * @throws not_found, generation_state, generation_in_progress, and those of planModel
 */
export const retryGeneration = async (deps: Deps, principal: Principal, id: string, input: RetryContentGeneration):
Promise<GenerationRow> => {
  const { workspace_id: workspaceId, user_id: created_by } = principal
  const { before, plan, outputs } = await restOf(deps, workspaceId, id, input)
  const { project_id, brief_id, mode, engine, request, estimate, brand_version, prompt_inputs, brief } = before
  const kept = { project_id, brief_id, mode, engine, request, estimate, brand_version, prompt_inputs, brief }
  const row = await mapBusyRecord(deps.db.transaction().execute(async (trx) => {
    const made = await insertWith(trx, workspaceId, {
      ...kept, plan, retry_of: id, created_by
    }, outputs.map(({ generation_id, status, result_version, suggestions, refused, error, ...output }) =>
      ({ ...output, status: 'pending' })))
    await copySteps(trx, workspaceId, id, made.id, outputs.map(({ number }) => number))
    return made
  }))
  enqueueGeneration(deps, row)
  return row
}
