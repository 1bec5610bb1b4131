import { announceWork } from '../../../../db/durable/announce.js'
import { countFeedback, hasInputOf } from '../../../../db/pse/inputs.js'
import { insertGeneration, type GenerationRow, type NewGeneration } from '../../../../db/pse/generations.js'
import { appendToSession, generationLeases } from '../../../../db/pse/progress.js'
import type { SessionRow } from '../../../../db/pse/sessions.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { GenerateSpec } from '../../../../schemas/pse/generations.js'
import { chooseTargets } from './choose-targets.js'
import { countMaterial } from './count-material.js'
import { holdSession, requireRevision, requireUnarchived } from '../sessions/change-session.js'
import type { Deps } from '../deps.js'
import { materialKinds } from 'steward-spec-engine/engine'
import { planGeneration } from './plan-generation.js'
import { pinStandards } from '../standards/resolve-standards.js'
import { BaseVersionStale, GenerationInProgress, NoUsableInputs, SessionApproved } from '../errors.js'
import { messageOf } from '../../../../schemas/thrown.js'

/** The job carries only the ids of a generation. */
export const generationJob = 'pse.generate'

const requireStartable = async (trx: Db, row: SessionRow, input: GenerateSpec): Promise<void> => {
  requireUnarchived(row)
  if (row.active_generation_id !== null) {
    throw GenerationInProgress(undefined, { generation_id: row.active_generation_id })
  }
  if (row.approved && !input.dry_run && input.mode !== 'check') throw SessionApproved()
  const { current_version: current } = row
  if (input.base_version !== undefined && input.base_version !== current) {
    throw BaseVersionStale(`Version ${current ?? 'none'} is current`, { current_version: current })
  }
  if (!await hasInputOf(trx, row.workspace_id, row.id, input.mode === 'import' ? ['spec'] : materialKinds)) {
    throw NoUsableInputs()
  }
}

/** after: the stream position before the generation's first event */
export type Started = { row: GenerationRow, after: number } | { plan: NewGeneration }

/**
 * Inserts a generation, then enqueues its job. If the job is lost, the sweep finds the row. A dry run only plans.
 * @throws not_found, session_archived, session_approved, generation_in_progress, base_version_stale, no_usable_inputs,
 *   and what chooseTargets and planGeneration throw
 */
export const startGeneration = async (deps: Pick<Deps, 'db' | 'jobs' | 'log' | 'llm' | 'workspaces'>,
  principal: Principal, id: string, input: GenerateSpec, revisions?: number[]): Promise<Started> => {
  const { workspace_id: workspaceId } = principal
  const counted = await countMaterial(deps, principal, id, input)
  const started = await deps.db.transaction().execute(async (trx): Promise<Started> => {
    const session = await holdSession(trx, workspaceId, id)
    await requireRevision(trx, session, revisions)
    await requireStartable(trx, session, input)
    const { pins } = await pinStandards(trx, workspaceId, session.standards)
    const chosen = await chooseTargets(trx, session, input)
    const feedback = await countFeedback(trx, workspaceId, id)
    const planned = { session, input, chosen, feedback, counted, standards: pins }
    const plan = planGeneration(deps, principal, planned)
    if (input.dry_run) return { plan }
    const row = await insertGeneration(trx, plan)
    await announceWork(trx, generationLeases.table)
    await appendToSession(trx, workspaceId, id, [{ event: 'generation_queued', data: { generation_id: row.id } }])
    return { row, after: session.event_seq }
  })
  if ('row' in started) {
    const key = { workspace_id: workspaceId, id: started.row.id }
    // Does not wait: the sweep finds the row anyway, and the queue may still be starting.
    void deps.jobs.enqueue(deps.db, generationJob, key)
      .catch((error: unknown) => deps.log.warn({ reason: messageOf(error) }, 'job of a spec not enqueued'))
  }
  return started
}
