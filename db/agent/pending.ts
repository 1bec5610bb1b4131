import { sql } from 'kysely'
import { now } from '../clock.js'
import { count } from '../columns.js'
import type { Db } from '../index.js'
import { isOneOf } from '../statement.js'
import { sweep } from '../workers.js'

/** @returns how many approvals wait, over all workspaces, and the age of the oldest in seconds; by a partial index */
export const readPending = (db: Db): Promise<{ count: number, oldest_s: number }> =>
  sweep(db, (reach) => db.selectFrom('agent_confirmation')
    .select(count.as('count'))
    .select(sql<number>`coalesce(extract(epoch from now() - min(requested_at)), 0)::double precision`.as('oldest_s'))
    .where(reach(isOneOf('status', ['pending']))).where('expires_at', '>', now).executeTakeFirstOrThrow())
