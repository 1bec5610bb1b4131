import { markCancelled, type GenerationRow } from '../../../../db/pse/generations.js'
import { writeIn } from '../../../../db/pse/progress.js'
import { NotFound } from '../../../../schemas/errors.js'
import { holdSession } from '../sessions/change-session.js'
import type { Deps } from '../deps.js'
import { GenerationFinished } from '../errors.js'

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
