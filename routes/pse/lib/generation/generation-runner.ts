import { type GenerationRow, markCancelled } from '../../../../db/pse/generations.js'
import { generationLeases, writeIn } from '../../../../db/pse/progress.js'
import { Runner } from '../../../../lib/durable/runner.js'
import { NotFound } from '../../../../schemas/errors.js'
import { type Deps, GenerationFinished } from '../errors.js'
import { holdSession } from '../sessions/read-version.js'
import { GenerationState } from './generation-state.js'
import { failGeneration, runGeneration } from './run-generation.js'

/**
 * Ends an unclaimed generation at once; for a claimed one it records the request, which the worker polls.
 * @throws not_found, generation_finished
 */
export const cancelGeneration = async (deps: Pick<Deps, 'db' | 'streams'>, workspaceId: string, sessionId: string,
  id: string): Promise<GenerationRow> => {
  const row = await deps.db.transaction().execute(async (trx) => {
    await holdSession(trx, workspaceId, sessionId)
    const row = await markCancelled(trx, workspaceId, sessionId, id)
    if (!row) throw NotFound()
    if (row.status === 'cancelled') return row
    if (row.finished_at !== null) throw GenerationFinished(`It is ${row.status}`)
    if (row.lease_owner !== null) return row
    const data = { generation_id: id, status: 'cancelled' as const, error: null }
    return await writeIn(trx, row, { status: 'cancelled' }, [], [{ event: 'generation_cancelled', data }]) ?? row
  })
  deps.streams.wake(sessionId)
  return row
}

const atOnce = 4

export type GenerationRunner = Runner<GenerationRow, GenerationState>

/** Runs generations under leases: new ones, and those whose process was lost. */
export const makeGenerationRunner = (deps: Deps): GenerationRunner => new Runner({
  name: 'generations',
  atOnce,
  maxLost: deps.config.limits.crash_attempts,
  leases: generationLeases,
  hold: (row) => new GenerationState(deps, row),
  run: (state) => runGeneration(deps, state),
  fail: (state, error) => failGeneration(deps, state, error)
}, { db: deps.db, database: deps.database, limits: deps.config.limits, log: deps.log })
