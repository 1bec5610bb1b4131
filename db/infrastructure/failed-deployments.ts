import { sql } from 'kysely'
import { anyOf } from '../filters.js'
import type { Db } from '../index.js'

/** @returns deployments of services that these people began and that have failed since, the oldest first */
export const listFailedDeployments = (db: Db, workspaceId: string, people: readonly string[], since: Date) =>
  db.selectFrom('service_deployment')
    .select(['id', 'user_id', 'service', 'cluster', 'status', 'status_reason',
      sql<Date>`finished_at`.as('finished_at')])
    .where('workspace_id', '=', workspaceId).where('user_id', '=', anyOf(people))
    .where('status', 'in', ['failed', 'rolled_back', 'rollback_failed']).where('finished_at', '>=', since)
    .orderBy('finished_at').limit(500).execute()
