import { listExpired, lockExpired, type AppKey } from '../../../db/deployments/leases.js'
import { writeIn } from '../../../db/deployments/progress.js'
import type { Deps } from './call-route.js'
import { endEvents } from './cancel-build.js'
import { closeSteps } from './steps.js'

const atOnce = 100

/** @returns whether the build's worker was lost, and the build is ended for it */
const reap = (db: Deps['db'], workspaceId: string, id: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const row = await lockExpired(trx, workspaceId, id)
    if (!row) return false
    const why = 'Its worker stopped answering; a deployment that was begun may go on'
    const steps = closeSteps(row.steps, 'failed', why)
    const change = { status: 'failed', status_reason: 'worker_lost', steps } as const
    return await writeIn(trx, row, change, endEvents(row.steps, change), { ends: true }) !== undefined
  })

/** Ends the builds whose lease has lapsed. @returns their apps, which are free for the next build */
export const reapLost = async (deps: Pick<Deps, 'db' | 'streams'>): Promise<AppKey[]> => {
  const freed: AppKey[] = []
  for (const { workspace_id, id, app_id } of await listExpired(deps.db, atOnce)) {
    if (!await reap(deps.db, workspace_id, id)) continue
    deps.streams.wake(id)
    freed.push({ workspace_id, app_id })
  }
  return freed
}
