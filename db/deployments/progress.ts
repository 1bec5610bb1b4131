import { sql, type Updateable } from 'kysely'
import { liveStatuses, type BuildStatus, type BuildStep } from '../../schemas/deployments/builds.js'
import type { Db } from '../index.js'
import { insertEvents } from '../stream-events.js'
import { buildColumns, type BuildRow } from './builds.js'
import type { Asker, DeploymentBuildTable } from './tables.js'

/** Whose writes count: the holder of this epoch, while the build lives. */
export type Held = Pick<BuildRow, 'workspace_id' | 'id' | 'lease_epoch'>

export interface BuildChange {
  status?: BuildStatus
  status_reason?: string | null
  commit?: string
  commit_message?: string | null
  image?: string
  image_digest?: string | null
  deployment_id?: string
  deploy_attempt?: number
  superseded_by?: string
  cancel_principal?: Asker
  steps?: BuildStep[]
  log_truncated?: boolean
}

/** What happened, as the record tells it; `seq` and, for lines, `at` are added when it is written. */
export type NewBuildEvent =
  { event: 'log', data: { step: string, stream: 'stdout' | 'stderr' | 'system', text: string } } |
  { event: 'step', data: { step: BuildStep } } |
  { event: 'status' | 'end', data: { status: BuildStatus, status_reason: string | null } }

export interface WriteOptions {
  /** Ends the build: gives up its lease, and with it the app's lock. */
  ends?: boolean
  /** Takes the row from whoever holds it: that one's later writes change nothing. */
  fences?: boolean
}

const linesOf = (events: NewBuildEvent[]) => events.filter(({ event }) => event === 'log')

const bytesOf = (events: NewBuildEvent[]) => events.reduce((sum, { event, data }) =>
  event === 'log' ? sum + Buffer.byteLength(data.text) : sum, 0)

const toColumns = ({ steps, cancel_principal: cancel, ...rest }: BuildChange): Updateable<DeploymentBuildTable> => ({
  ...rest,
  ...(steps && { steps: JSON.stringify(steps) }),
  ...(cancel && { cancel_principal: JSON.stringify(cancel) })
})

const update = (db: Db, held: Held, change: BuildChange, events: NewBuildEvent[], { ends, fences }: WriteOptions) =>
  db.updateTable('deployment_build').set({
    ...toColumns(change),
    log_seq: sql`log_seq + ${events.length}::bigint`,
    log_lines: sql`log_lines + ${linesOf(events).length}::integer`,
    log_bytes: sql`log_bytes + ${bytesOf(events)}::bigint`,
    ...(ends && { finished_at: sql`clock_timestamp()`, lease_owner: null, lease_until: null }),
    ...((ends || fences) && { lease_epoch: sql`lease_epoch + 1` })
  })
    .where('workspace_id', '=', held.workspace_id).where('id', '=', held.id)
    .where('lease_epoch', '=', held.lease_epoch).where('status', 'in', liveStatuses)
    .returning(buildColumns).returning(sql<Date>`clock_timestamp()`.as('at')).executeTakeFirst()

/**
 * Writes a change and what is told of it, in the caller's transaction.
 * @returns the changed row; undefined when the epoch is no longer the row's, or the build has ended
 */
export const writeIn = async (trx: Db, held: Held, change: BuildChange, events: NewBuildEvent[],
  options: WriteOptions = {}): Promise<BuildRow | undefined> => {
  const changed = await update(trx, held, change, events, options)
  if (!changed) return undefined
  const { at, ...row } = changed
  await insertEvents(trx, events.map(({ event, data }, index) => {
    const seq = row.log_seq - events.length + index + 1
    const told = { seq, ...(event === 'log' && { at }), ...data }
    return { workspace_id: row.workspace_id, stream_id: row.id, position: seq, event, data: JSON.stringify(told) }
  }))
  return row
}

/** The same in a transaction of its own. */
export const writeBuild = (db: Db, held: Held, change: BuildChange, events: NewBuildEvent[], options?: WriteOptions) =>
  db.transaction().execute((trx) => writeIn(trx, held, change, events, options))
