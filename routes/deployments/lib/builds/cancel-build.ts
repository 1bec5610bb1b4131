import { lockBuild, type BuildRow } from '../../../../db/deployments/builds.js'
import type { NewBuildEvent } from '../../../../schemas/deployments/logs.js'
import { writeIn, type BuildChange, type WriteOptions } from '../../../../db/deployments/progress.js'
import type { Actor } from '../../../../db/actor.js'
import { NotFound } from '../../../../schemas/errors.js'
import type { BuildStep } from '../../../../schemas/deployments/builds.js'
import type { Deps } from '../call-route.js'
import { BuildFinished } from '../errors.js'
import { closeSteps, runningStep } from './steps.js'

const changedSteps = (before: BuildStep[], after: BuildStep[]): NewBuildEvent[] =>
  after.filter((step, index) => step.status !== before[index]?.status)
    .map((step) => ({ event: 'step', data: { step } }))

/** @returns the events of the end of a build */
export const endEvents = (before: BuildStep[], change: Pick<BuildChange, 'status' | 'status_reason' | 'steps'>):
NewBuildEvent[] => {
  const { status = 'failed', status_reason = null, steps = before } = change
  const data = { status, status_reason }
  return [...changedSteps(before, steps), { event: 'status', data }, { event: 'end', data }]
}

/** Once AWS may have been called, only the worker can undo the deployment; before that the row is enough. */
const isDeploying = ({ steps }: BuildRow): boolean =>
  steps.some(({ name, status }) => name === 'deploy' && status !== 'pending') || runningStep(steps)?.name === 'verify'

const planCancel = (row: BuildRow, actor: Actor): [BuildChange, NewBuildEvent[], WriteOptions] => {
  if (isDeploying(row)) {
    const data = { status: 'cancelling', status_reason: 'user_cancel' } as const
    return [{ ...data, cancel_principal: actor }, [{ event: 'status', data }], {}]
  }
  const change = {
    status: 'cancelled',
    status_reason: 'user_cancel',
    steps: closeSteps(row.steps, 'cancelled', null),
    cancel_principal: actor
  } as const
  return [change, endEvents(row.steps, change), { ends: true }]
}

/**
 * Ends a build at once and frees the app in the same transaction; one that is being deployed becomes `cancelling`
 * until the service is back where it was. Idempotent.
 * @throws not_found, build_finished
 */
export const cancelBuild = async (deps: Pick<Deps, 'db' | 'streams'>, workspaceId: string, appId: string, id: string,
  actor: Actor): Promise<BuildRow> => {
  const row = await deps.db.transaction().execute(async (trx) => {
    const row = await lockBuild(trx, workspaceId, id)
    if (row?.app_id !== appId) throw NotFound()
    if (row.status === 'cancelled' || row.status === 'cancelling') return row
    if (row.finished_at !== null) throw BuildFinished(`Build ${row.number} is ${row.status}`)
    const [change, events, options] = planCancel(row, actor)
    return await writeIn(trx, row, change, events, options) ?? row
  })
  deps.streams.wake(id)
  return row
}
