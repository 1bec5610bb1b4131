import type { Actor } from '../../../../db/audit.js'
import { lockBuild, type BuildRow, findBuild } from '../../../../db/deployments/builds.js'
import { writeIn, type BuildChange, type WriteOptions, listLines } from '../../../../db/deployments/progress.js'
import type { Db } from '../../../../db/index.js'
import { sendStream, type Sink } from '../../../../lib/streams/follow.js'
import type { BuildStep, Build } from '../../../../schemas/deployments/builds.js'
import type { NewBuildEvent, BuildLog, BuildLogLine } from '../../../../schemas/deployments/logs.js'
import { NotFound } from '../../../../schemas/errors.js'
import { type Deps, BuildFinished } from '../errors.js'
import { closeSteps, runningStep } from './start-build.js'

/** @returns the version that the build left at the alias of its function; null for any other target */
export const publishedOf = ({ target, verified, status }: Pick<BuildRow, 'target' | 'verified' | 'status'>):
Build['published'] => target.kind === 'lambda' && verified?.version && status === 'succeeded'
  ? { function_id: target.function_id, version: verified.version }
  : null

/** @returns the build as the API returns it */
export const describeBuild = (row: BuildRow): Build => ({
  id: row.id,
  app_id: row.app_id,
  number: row.number,
  status: row.status,
  status_reason: row.status_reason,
  trigger: row.trigger,
  ref: row.ref,
  commit: row.commit,
  commit_message: row.commit_message,
  actor: row.actor,
  image: row.image,
  image_digest: row.image_digest,
  builder: row.builder?.kind ?? null,
  run: row.run && { id: row.run.id, url: row.run.url },
  deployment_id: row.deployment_id,
  rollback_of: row.rollback_of,
  published: publishedOf(row),
  superseded_by: row.superseded_by,
  steps: row.steps,
  created_at: row.created_at,
  started_at: row.started_at,
  finished_at: row.finished_at,
  duration_ms: row.started_at && row.finished_at ? row.finished_at.getTime() - row.started_at.getTime() : null,
  log: { lines: row.log_lines, bytes: row.log_bytes, truncated: row.log_truncated }
})

/** @throws not_found for a build that is not the app's, or not the workspace's */
export const readBuild = async (db: Db, workspaceId: string, appId: string, id: string): Promise<BuildRow> => {
  const row = await findBuild(db, workspaceId, appId, id)
  if (!row) throw NotFound()
  return row
}

/** @returns a page of the build's lines after a position; the build was read before them, so none is missed */
export const readLog = async (db: Db, row: BuildRow, after: number, limit: number): Promise<BuildLog> => {
  const found = await listLines(db, row.workspace_id, row.id, after, limit + 1)
  // The rows are what progress.ts wrote.
  const items = found.slice(0, limit).map(({ data }) => data as BuildLogLine)
  const more = found.length > limit
  const ended = row.finished_at !== null
  return {
    build_id: row.id,
    status: row.status,
    items,
    next_seq: items.at(-1)?.seq ?? after,
    complete: ended && !more,
    truncated: row.log_truncated
  }
}

/** @returns whether the build has ended and the client has all its events */
export const isCaughtUp = (row: BuildRow, after: number): boolean => row.finished_at !== null && after >= row.log_seq

/** Sends what happens to a build to one client, from a position on, until the build ends. */
export const followBuild = ({ streams }: Pick<Deps, 'streams'>, row: BuildRow, after: number, sink: Sink):
Promise<void> => {
  const followed = { workspaceId: row.workspace_id, streamId: row.id, after }
  return sendStream(streams, { ...followed, isEnd: ({ event }) => event === 'end' }, sink)
}

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

/**
 * Once a provider may have been called, only the worker can undo that: it stops what builds the image, or brings the
 * service back. Before that the row is enough.
 */
const hasCalled = ({ steps, run }: BuildRow): boolean =>
  steps.some(({ name, status }) => name === 'deploy' && status !== 'pending') ||
  runningStep(steps)?.name === 'verify' || (runningStep(steps)?.name === 'build' && run !== null)

const planCancel = (row: BuildRow, actor: Actor): [BuildChange, NewBuildEvent[], WriteOptions] => {
  if (hasCalled(row)) {
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
 * Ends a build at once and frees the app in the same transaction; one whose image is being built, or that is being
 * deployed, becomes `cancelling` until that has stopped, and the service is back where it was. Idempotent.
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
