import { sql } from 'kysely'
import { anyOf } from '../filters.js'
import type { Db } from '../index.js'

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
