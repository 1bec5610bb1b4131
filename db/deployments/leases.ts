import { sql, type RawBuilder } from 'kysely'
import { activeStatuses } from '../../schemas/deployments/builds.js'
import { anyOf } from '../columns.js'
import {
  byWorkspace, findClaimableBy, isClaimable, renewalsOf, takeLease, type Claimable, type Claimant, type Leases,
  type SeenRow
} from '../durable/leases.js'
import type { Db } from '../index.js'
import { buildColumns, type BuildRow } from './builds.js'
import { writeIn } from './progress.js'
import { codeOf } from '../../schemas/unknown.js'

export interface AppKey { workspace_id: string, app_id: string }

export type SeenBuild = SeenRow & Pick<BuildRow, 'status' | 'cancel_principal'>

const isNext = ({ workspace_id, app_id }: AppKey, { takes: { unowned } }: Claimant) => sql`${unowned}::boolean
  and status = 'queued' and not exists (
    select from deployment_build where workspace_id = ${workspace_id} and app_id = ${app_id}
      and status in ('running', 'cancelling'))`

const take = (db: Db, { workspace_id, app_id }: AppKey, claimant: Claimant, which: RawBuilder<unknown>,
  lock: RawBuilder<unknown>) =>
  takeLease<BuildRow>(db, 'deployment_build', buildColumns, sql`workspace_id = ${workspace_id} and id = (
    select id from deployment_build where workspace_id = ${workspace_id} and app_id = ${app_id} and ${which}
    order by number limit 1 ${lock})`, claimant,
  sql`status = case when status = 'queued' then 'running' else status end,
    started_at = least(started_at, statement_timestamp())`)

/** When two processes claim at once, the unique index of active builds fails one of them. */
const isRaceLost = (error: unknown): boolean => codeOf(error) === '23505'

/**
 * Takes the app's active build if it is unclaimed, or else its next build unless one is active.
 * @returns undefined when there is nothing to take
 */
export const claimBuild = async (db: Db, app: AppKey, claimant: Claimant): Promise<BuildRow | undefined> => {
  try {
    return await db.transaction().execute(async (trx) => {
      const left = await take(trx, app, claimant, isClaimable(claimant, activeStatuses), sql`for update skip locked`)
      if (left) return left
      // Waits for who takes the first in the queue: a second one that skipped it could begin before it.
      const row = await take(trx, app, claimant, isNext(app, claimant), sql`for update`)
      return row && writeIn(trx, row, {}, [{ event: 'status', data: { status: 'running', status_reason: null } }])
    })
  } catch (error) {
    if (isRaceLost(error)) return undefined
    throw error
  }
}

/** @returns apps with a build that no process works on; the workspaces take turns */
const findClaimable = (db: Db, limit: number, claimant: Claimant): Promise<Claimable<AppKey>> =>
  findClaimableBy(db, 'deployment_build', claimant, (reach) => sql`
    (select workspace_id, app_id from deployment_build
      where ${reach(isClaimable(claimant, activeStatuses))} limit ${limit})
    union
    (select workspace_id, app_id from (
      select workspace_id, app_id, min(created_at) as since,
        row_number() over (partition by workspace_id order by min(created_at)) as turn
      from deployment_build q where ${reach(sql`${claimant.takes.unowned}::boolean and status = 'queued'
        and not exists (select from deployment_build a where ${reach(sql`a.workspace_id = q.workspace_id
          and a.app_id = q.app_id and a.status in ('running', 'cancelling')`, 'a.workspace_id')})`, 'q.workspace_id')}
      group by workspace_id, app_id) as waiting order by turn, since limit ${limit})`, activeStatuses)

/** One build of an app at a time, in their order. */
export const buildLeases: Required<Leases<BuildRow, AppKey, SeenBuild>> = {
  ...renewalsOf('deployment_build', activeStatuses),
  claim: claimBuild,
  findClaimable,
  listHeld: (db, owner, held) => byWorkspace(held, (workspaceId, ids) =>
    db.selectFrom('deployment_build').select(['id', 'lease_epoch', 'status', 'cancel_principal'])
      .where('workspace_id', '=', workspaceId).where('id', '=', anyOf(ids))
      .where('lease_owner', '=', owner).where('status', 'in', activeStatuses).execute())
}
