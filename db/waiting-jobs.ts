import { sql } from 'kysely'
import type { Db } from './index.js'

export interface WaitingJobs {
  /** Queues that have jobs which are due. */
  due: string[]
  /** Milliseconds until another job is due; null when none waits. */
  next_ms: number | null
}

/** Reads the queue's own table, of which each process works off its jobs. */
export const findWaitingJobs = async (db: Db): Promise<WaitingJobs> => {
  const { rows } = await sql<WaitingJobs>`
    select coalesce(array_agg(distinct name) filter (where start_after <= now()), '{}') as due,
      (extract(epoch from min(start_after) filter (where start_after > now()) - now()) * 1000)::float8 as next_ms
    from jobs.job where state < 'active' and not blocked`.execute(db)
  return rows[0] ?? { due: [], next_ms: null }
}

/** @returns whether a job is due or under way, here or in another process */
export const hasUnfinishedJobs = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from jobs.job where state = 'active'
      or (state < 'active' and not blocked and start_after <= now())) as found`.execute(db)
  return rows[0]?.found ?? false
}
