import { sql, type RawBuilder } from 'kysely'
import type { Db } from './index.js'

/** @returns under which timeline the database is now; null where the server does not show it */
export const readTimeline = async (db: Db): Promise<string | null> =>
  (await db.selectNoFrom(timeline.as('timeline')).executeTakeFirstOrThrow()).timeline

const timeline = sql<string | null>`steward_timeline()`

/**
 * Whether the database was replaced by a standby or a backup since a row was written.
 * @param column its timeline; null says nothing, and counts as the same
 * @param now the timeline of the server that was asked, which writes it into new rows; one that has the row may be
 *   another server
 */
export const isReplaced = (column: string, now: string | null): RawBuilder<boolean> =>
  sql<boolean>`coalesce(${sql.ref(column)} <> ${now}::text, false)`

/** What waits for less than the standby's disk. */
const weak = sql.join(['off', 'local', 'remote_write'].map((level) => sql.lit(level)))

/**
 * Lets the commit of this transaction wait for a synchronous standby, where one is configured, whatever the server's
 * default is. It has no time-out of its own: one would end the wait, and call what no standby has committed.
 * @returns as readTimeline
 */
export const waitForStandby = async (trx: Db): Promise<string | null> => {
  const { rows } = await sql<{ timeline: string | null }>`select ${timeline} as timeline,
    set_config('statement_timeout', '0', true), set_config('synchronous_commit', case
    when current_setting('synchronous_commit') in (${weak}) then 'on' else current_setting('synchronous_commit') end,
    true)`.execute(trx)
  return rows[0]?.timeline ?? null
}
