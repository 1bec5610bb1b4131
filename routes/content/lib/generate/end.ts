import { endOutputs, listOutputs } from '../../../../db/content/generation-outputs.js'
import { writeIn } from '../../../../db/content/generation-progress.js'
import { copySteps, findGeneration, markCancelled, type GenerationRow } from '../../../../db/content/generations.js'
import { activeStatuses } from '../../../../schemas/content/generation-words.js'
import { planModel } from '../../../../plugins/llm-plan.js'
import type { Principal } from '../../../../plugins/principal.js'
import type { RetryContentGeneration } from '../../../../schemas/content/generation-records.js'
import { NotFound } from '../../../../schemas/errors.js'
import { GenerationFinished, GenerationState as GenerationStateError } from '../errors.js'
import type { Deps } from './deps.js'
import { alone, enqueueGeneration, insertWith } from './start.js'

/**
 * Ends a generation that nobody works on; for one that is worked on it is written down, and its worker sees it.
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

/**
 * Goes on where a generation ended before its end: a new one takes over what is not done, and what was paid for.
 * @throws not_found, generation_state, generation_in_progress, and those of planModel
 */
export const retryGeneration = async (deps: Deps, principal: Principal, id: string, wish: RetryContentGeneration):
Promise<GenerationRow> => {
  const { workspace_id: workspaceId, user_id: created_by } = principal
  const before = await findGeneration(deps.db, workspaceId, id)
  if (!before) throw NotFound()
  const outputs = (await listOutputs(deps.db, workspaceId, [id])).filter(({ status }) => status !== 'done')
  const isActive = (activeStatuses as readonly string[]).includes(before.status)
  if (isActive || outputs.length === 0 || before.plan === null) throw GenerationStateError(`It is ${before.status}`)
  const budget = wish.budget ?? before.request.budget
  const plan = planModel(deps, { engine: 'model', model: before.plan.model, budget }) ?? before.plan
  const { project_id, brief_id, mode, engine, request, estimate, brand_version, prompt_inputs, brief } = before
  const kept = { project_id, brief_id, mode, engine, request, estimate, brand_version, prompt_inputs, brief }
  const row = await alone(deps.db.transaction().execute(async (trx) => {
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
