import { sql } from 'kysely'
import { ago } from './clock.js'
import type { Db } from './index.js'
import { sweep } from './workers.js'

export interface RateCount { principal: string, window_start: Date, count: number }

/** Adds this instance's counts to everyone's. @returns the sums over all instances */
export const addCounts = async (db: Db, workspaceId: string, counts: readonly RateCount[]): Promise<RateCount[]> => {
  const { rows } = await sql<RateCount>`
    insert into rate_window as mine (workspace_id, principal, window_start, count)
    select ${workspaceId}::uuid, * from unnest(
      ${counts.map((item) => item.principal)}::text[], ${counts.map((item) => item.window_start)}::timestamptz[],
      ${counts.map((item) => item.count)}::integer[])
    on conflict (workspace_id, principal, window_start) do update set count = mine.count + excluded.count
    returning principal, window_start, count`.execute(db)
  return rows
}

export const deleteOldWindows = async (db: Db): Promise<void> => {
  await sweep(db, (reach) =>
    db.deleteFrom('rate_window').where(reach(sql`window_start < ${ago('5 minutes')}`)).execute())
}
