import { sql } from 'kysely'
import { anyOf } from '../filters.js'
import type { Db } from '../index.js'

/** @returns runs of these people that have ended since, the oldest first */
export const listEndedRuns = (db: Db, workspaceId: string, people: readonly string[], since: Date) =>
  db.selectFrom('agent_run as r')
    .innerJoin('agent_session as s', (join) => join
      .onRef('s.workspace_id', '=', 'r.workspace_id').onRef('s.id', '=', 'r.session_id'))
    .select(['r.id', 'r.user_id', 'r.session_id', 'r.status', 's.title',
      sql<Date>`r.finished_at`.as('finished_at')])
    .where('r.workspace_id', '=', workspaceId).where('r.user_id', '=', anyOf(people)).where('r.kind', '=', 'chat')
    .where('r.finished_at', '>=', since).where('s.deleted_at', 'is', null).orderBy('r.finished_at').limit(500).execute()
