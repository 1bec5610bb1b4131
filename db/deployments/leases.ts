import { sql, type RawBuilder } from 'kysely'
import { activeStatuses } from '../../schemas/deployments/builds.js'
import type { Db } from '../index.js'
import { buildColumns, type BuildRow } from './builds.js'
import { writeIn, type Held } from './progress.js'

export interface AppKey { workspace_id: string, app_id: string }

const leaseUntil = (leaseMs: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${leaseMs / 1000})`

const isHandedOver = sql`status in ('running', 'cancelling') and lease_owner is null`

const isNext = ({ workspace_id, app_id }: AppKey) => sql`status = 'queued' and not exists (
  select from deployment_build where workspace_id = ${workspace_id} and app_id = ${app_id}
    and status in ('running', 'cancelling'))`

const take = (db: Db, app: AppKey, owner: string, leaseMs: number, which: RawBuilder<unknown>) =>
  db.updateTable('deployment_build')
    .set({
      status: sql`case status when 'queued' then 'running' else status end`,
      lease_owner: owner,
      lease_epoch: sql`lease_epoch + 1`,
      lease_until: leaseUntil(leaseMs),
      started_at: sql`coalesce(started_at, clock_timestamp())`
    })
    .where('workspace_id', '=', app.workspace_id)
    .where('id', '=', sql<string>`(
      select id from deployment_build where workspace_id = ${app.workspace_id} and app_id = ${app.app_id} and ${which}
      order by number limit 1 for update skip locked)`)
    .returning(buildColumns).executeTakeFirst()

/** Two instances that claim at once meet at the index of active builds: one of them has lost. */
const isRaceLost = (error: unknown): boolean => (error as { code?: string }).code === '23505'

/**
 * Takes the app's next build, unless one is active; or the active one, if it was handed over.
 * @returns undefined when there is nothing to take
 */
export const claimBuild = async (db: Db, app: AppKey, owner: string, leaseMs: number):
Promise<BuildRow | undefined> => {
  try {
    return await db.transaction().execute(async (trx) => {
      const left = await take(trx, app, owner, leaseMs, isHandedOver)
      if (left) return left
      const row = await take(trx, app, owner, leaseMs, isNext(app))
      return row && writeIn(trx, row, {}, [{ event: 'status', data: { status: 'running', status_reason: null } }])
    })
  } catch (error) {
    if (isRaceLost(error)) return undefined
    throw error
  }
}

/** @returns apps with a build that nobody works on */
export const listClaimable = async (db: Db, limit: number): Promise<AppKey[]> => {
  const { rows } = await sql<AppKey>`
    (select distinct workspace_id, app_id from deployment_build q where status = 'queued'
      and not exists (select from deployment_build a where a.workspace_id = q.workspace_id and a.app_id = q.app_id
        and a.status in ('running', 'cancelling')) limit ${limit})
    union
    (select workspace_id, app_id from deployment_build where status in ('running', 'cancelling')
      and lease_owner is null limit ${limit})`.execute(db)
  return rows
}

/** @returns the builds that this process holds, as their rows are now */
export const listHeld = (db: Db, owner: string) =>
  db.selectFrom('deployment_build').select(['id', 'lease_epoch', 'status', 'cancel_principal'])
    .where('lease_owner', '=', owner).where('status', 'in', activeStatuses).execute()

/** Keeps the leases of the builds that this process works on. */
export const renewLeases = async (db: Db, owner: string, ids: string[], leaseMs: number): Promise<void> => {
  await db.updateTable('deployment_build').set({ lease_until: leaseUntil(leaseMs) })
    .where('lease_owner', '=', owner).where('id', 'in', ids).where('status', 'in', activeStatuses).execute()
}

/** Gives a build back at shutdown: whoever claims it goes on with the step that is open. */
export const handOver = async (db: Db, held: Held): Promise<void> => {
  await db.updateTable('deployment_build')
    .set({ lease_owner: null, lease_until: null, lease_epoch: sql`lease_epoch + 1` })
    .where('workspace_id', '=', held.workspace_id).where('id', '=', held.id)
    .where('lease_epoch', '=', held.lease_epoch).where('status', 'in', activeStatuses).execute()
}

/** @returns builds whose worker stopped renewing */
export const listExpired = (db: Db, limit: number) =>
  db.selectFrom('deployment_build').select(['workspace_id', 'id', 'app_id'])
    .where('status', 'in', activeStatuses).where('lease_until', '<', sql<Date>`clock_timestamp()`)
    .limit(limit).execute()

/** @returns the row, locked, if its lease has lapsed */
export const lockExpired = (db: Db, workspaceId: string, id: string): Promise<BuildRow | undefined> =>
  db.selectFrom('deployment_build').select(buildColumns)
    .where('workspace_id', '=', workspaceId).where('id', '=', id)
    .where('status', 'in', activeStatuses).where('lease_until', '<', sql<Date>`clock_timestamp()`)
    .forUpdate().executeTakeFirst()
