import { sql } from 'kysely'
import type { Db } from '../index.js'

/** @returns how many approvals wait, over all workspaces, and the age of the oldest in seconds; by a partial index */
export const readPending = async (db: Db): Promise<{ count: number, oldest_s: number }> => {
  const { rows } = await sql<{ count: number, oldest_s: number }>`
    select count(*)::integer as count,
      coalesce(extract(epoch from now() - min(requested_at)), 0)::double precision as oldest_s
    from agent_confirmation where status = 'pending' and expires_at > now()`.execute(db)
  return rows[0] ?? { count: 0, oldest_s: 0 }
}
