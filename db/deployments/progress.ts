import { sql, type Updateable } from 'kysely'
import { liveStatuses, type BuildStatus, type BuildStep, type TargetState } from '../../schemas/deployments/builds.js'
import type { StoredRun } from '../../schemas/deployments/builders.js'
import type { NewBuildEvent } from '../../schemas/deployments/logs.js'
import type { Actor } from '../audit.js'
import { clock, readClock } from '../clock.js'
import { next, plus, anyOf } from '../columns.js'
import { appendEvents } from '../durable/events.js'
import { isHeld, noLease } from '../durable/leases.js'
import type { Db } from '../index.js'
import type { StoredEvent } from '../stream-events.js'
import { buildColumns, type BuildRow } from './builds.js'
import type { DeploymentBuildTable } from './tables.js'

/** @returns the lines of a build after a position, oldest first; steps and states are left out */
export const listLines = (db: Db, workspaceId: string, buildId: string, after: number, limit: number):
Promise<StoredEvent[]> =>
  db.selectFrom('stream_event').select(['position', 'event', 'data'])
    .where('workspace_id', '=', workspaceId).where('stream_id', '=', buildId)
    .where('position', '>', after).where('event', '=', 'log')
    .orderBy('position').limit(limit).execute()

/** @returns builds that these people began and that have failed since, the oldest first */
export const listFailedBuilds = (db: Db, workspaceId: string, people: readonly string[], since: Date) =>
  db.selectFrom('deployment_build as b')
    .innerJoin('deployment_app as a', (join) => join
      .onRef('a.workspace_id', '=', 'b.workspace_id').onRef('a.id', '=', 'b.app_id'))
    .select(['b.id', 'b.app_id', 'b.number', 'b.status', 'b.status_reason', 'a.name',
      sql<string>`b.principal ->> 'user_id'`.as('user_id'), sql<Date>`b.finished_at`.as('finished_at')])
    .where('b.workspace_id', '=', workspaceId).where(sql`b.principal ->> 'user_id'`, '=', anyOf(people))
    .where('b.status', 'in', ['failed', 'timed_out']).where('b.finished_at', '>=', since)
    .orderBy('b.finished_at').limit(500).execute()

/** Whose writes count: the holder of this epoch, while the build lives. */
export type Held = Pick<BuildRow, 'workspace_id' | 'id' | 'lease_epoch'>

export interface BuildChange {
  status?: BuildStatus
  status_reason?: string | null
  commit?: string | null
  commit_message?: string | null
  image?: string
  image_digest?: string | null
  deployment_id?: string
  deploy_attempt?: number
  superseded_by?: string
  cancel_principal?: Actor
  verified?: TargetState
  run?: StoredRun
  steps?: BuildStep[]
  log_truncated?: boolean
}

export interface WriteOptions {
  /** Ends the build: gives up its lease, and with it the app's lock. */
  ends?: boolean
  /** Takes the row from its holder, whose later writes change nothing. */
  fences?: boolean
}

const linesOf = (events: NewBuildEvent[]) => events.filter(({ event }) => event === 'log')

const bytesOf = (events: NewBuildEvent[]) => events.reduce((sum, { event, data }) =>
  event === 'log' ? sum + Buffer.byteLength(data.text) : sum, 0)

const toColumns = ({ steps, run, verified, cancel_principal: cancel, ...rest }: BuildChange): Updateable<DeploymentBuildTable> => ({
  ...rest,
  ...(run && { run: JSON.stringify(run) }),
  ...(verified && { verified: JSON.stringify(verified) }),
  ...(steps && { steps: JSON.stringify(steps) }),
  ...(cancel && { cancel_principal: JSON.stringify(cancel) })
})

const update = (db: Db, held: Held, change: BuildChange, events: NewBuildEvent[], { ends, fences }: WriteOptions) =>
  db.updateTable('deployment_build').set({
    ...toColumns(change),
    log_seq: plus('log_seq', events.length),
    log_lines: sql`log_lines + ${linesOf(events).length}::integer`,
    log_bytes: plus('log_bytes', bytesOf(events)),
    ...(fences && { lease_epoch: next('lease_epoch') }),
    ...(ends && { finished_at: clock, ...noLease })
  }).where(isHeld(held, liveStatuses))
    .returning(buildColumns).executeTakeFirst()

/**
 * Writes a change and appends its events, in the caller's transaction.
 * @returns the changed row; undefined when the epoch is no longer the row's, or the build has ended
 */
export const writeIn = async (trx: Db, held: Held, change: BuildChange, events: NewBuildEvent[],
  options: WriteOptions = {}): Promise<BuildRow | undefined> => {
  const row = await update(trx, held, change, events, options)
  if (!row) return undefined
  const at = linesOf(events).length > 0 ? await readClock(trx) : undefined
  await appendEvents(trx, { workspace_id: row.workspace_id, stream_id: row.id, last: row.log_seq }, events,
    (seq, { event, data }) => ({ seq, ...(event === 'log' && { at }), ...data }))
  return row
}
