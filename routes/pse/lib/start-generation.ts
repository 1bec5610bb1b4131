import { hasInputOf } from '../../../db/pse/inputs.js'
import { insertGeneration, type GenerationRow, type NewGeneration } from '../../../db/pse/generations.js'
import { tell } from '../../../db/pse/progress.js'
import type { PinnedStandard } from '../../../db/pse/tables.js'
import type { SessionRow } from '../../../db/pse/sessions.js'
import type { Db } from '../../../db/index.js'
import type { Principal } from '../../../plugins/principal.js'
import type { GenerateSpec, GenerationEstimate } from '../../../schemas/pse/generations.js'
import { holdSession, refuseArchived } from './change-session.js'
import type { Deps } from './deps.js'
import { tokensOf } from './describe-input.js'
import { pinStandards } from './standards/resolve-standards.js'
import { material } from './material-kinds.js'
import { BaseVersionStale, GenerationInProgress, NoUsableInputs, SessionApproved } from './errors.js'

/** The job's name; it says only which generation to look at. */
export const generationJob = 'pse.generate'

const checkSession = async (trx: Db, row: SessionRow, wish: GenerateSpec): Promise<void> => {
  refuseArchived(row)
  if (row.active_generation_id !== null) {
    throw GenerationInProgress(undefined, { generation_id: row.active_generation_id })
  }
  if (row.approved && !wish.dry_run) throw SessionApproved()
  const { current_version: current } = row
  if (wish.base_version !== undefined && wish.base_version !== current) {
    throw BaseVersionStale(`Version ${current ?? 'none'} is current`, { current_version: current })
  }
  if (!await hasInputOf(trx, row.workspace_id, row.id, material)) throw NoUsableInputs()
}

const estimateOf = (row: SessionRow): GenerationEstimate => ({
  input_tokens: tokensOf(row.input_chars),
  output_tokens: 0,
  model_calls: 0,
  cost: { amount: '0.000000', currency: 'USD' },
  estimated: true
})

const planOf = (row: SessionRow, { user_id }: Principal, wish: GenerateSpec, standards: PinnedStandard[]):
NewGeneration => ({
  workspace_id: row.workspace_id,
  session_id: row.id,
  mode: wish.mode,
  engine: 'template',
  model: null,
  request: wish,
  standards,
  inputs_seq: row.next_seq - 1,
  base_version: row.current_version,
  estimate: estimateOf(row),
  warnings: [],
  created_by: user_id
})

/** after: the position before what is told of this generation */
export type Started = { row: GenerationRow, after: number } | { plan: NewGeneration }

/**
 * Writes a generation down, then tells the job. If that is lost, the sweep finds the row. A dry run is only planned.
 * @throws not_found, session_archived, session_approved, generation_in_progress, base_version_stale, no_usable_inputs
 */
export const startGeneration = async (deps: Pick<Deps, 'db' | 'jobs' | 'log'>, principal: Principal, id: string,
  wish: GenerateSpec): Promise<Started> => {
  const { workspace_id: workspaceId } = principal
  const started = await deps.db.transaction().execute(async (trx): Promise<Started> => {
    const session = await holdSession(trx, workspaceId, id)
    await checkSession(trx, session, wish)
    const { pins } = await pinStandards(trx, workspaceId, session.standards)
    const plan = planOf(session, principal, wish, pins)
    if (wish.dry_run) return { plan }
    const row = await insertGeneration(trx, plan)
    await tell(trx, workspaceId, id, [{ event: 'generation_queued', data: { generation_id: row.id } }])
    return { row, after: session.event_seq }
  })
  if ('row' in started) {
    const key = { workspace_id: workspaceId, id: started.row.id }
    // Not waited for: the row is what counts, and the queue may be starting.
    void deps.jobs.enqueue(deps.db, generationJob, key)
      .catch((error: unknown) => deps.log.warn({ reason: (error as Error).message }, 'job of a spec not enqueued'))
  }
  return started
}
