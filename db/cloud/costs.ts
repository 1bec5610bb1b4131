import { sql } from 'kysely'
import type { CostSlice } from '../../schemas/cloud/costs.js'
import { ago, now, nowPlus } from '../clock.js'
import { excluded } from '../columns.js'
import type { Db } from '../index.js'

export interface CostKey { workspace_id: string, account_id: string, key: string }

/** @returns what the account answered last, with its age in seconds and whether it still counts */
export const findCost = (db: Db, { workspace_id: workspace, account_id: account, key }: CostKey) =>
  db.selectFrom('cloud_cost').select(['slice', 'fetched_at', 'expires_at'])
    .select(sql<boolean>`expires_at > now()`.as('fresh'))
    .select(sql<number>`extract(epoch from now() - fetched_at)::float8`.as('age_s'))
    .where('workspace_id', '=', workspace).where('account_id', '=', account).where('key', '=', key).executeTakeFirst()

export const saveCost = (db: Db, key: CostKey, slice: CostSlice, seconds: number) => {
  const values = {
    slice: JSON.stringify(slice),
    fetched_at: now,
    expires_at: nowPlus(seconds)
  }
  return db.insertInto('cloud_cost').values({ ...key, ...values })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'account_id', 'key']).doUpdateSet({
      slice: excluded('slice'), fetched_at: excluded('fetched_at'), expires_at: excluded('expires_at')
    }))
    .returning(['slice', 'fetched_at', 'expires_at']).executeTakeFirstOrThrow()
}

/** Takes one request of the day's budget. @returns false when it is used up */
export const takeCostRequest = async (db: Db, workspaceId: string, accountId: string, budget: number):
Promise<boolean> => {
  const taken = await db.insertInto('cloud_cost_budget')
    .values({
      workspace_id: workspaceId, account_id: accountId, day: sql<string>`(now() at time zone 'utc')::date`, requests: 1
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'account_id', 'day'])
      .doUpdateSet({ requests: sql<number>`cloud_cost_budget.requests + 1` })
      .where('cloud_cost_budget.requests', '<', budget))
    .returning('requests').executeTakeFirst()
  return taken !== undefined
}

/** Deletes what expired over a week ago. */
export const dropOldCosts = (db: Db, workspaceId: string) =>
  db.deleteFrom('cloud_cost').where('workspace_id', '=', workspaceId)
    .where('expires_at', '<', ago('7 days')).execute()
