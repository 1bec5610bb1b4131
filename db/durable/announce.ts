import { sql } from 'kysely'
import type { Db } from '../index.js'

/** Where processes hear that there is work; the payload is the table in which it is. */
export const workChannel = 'steward_work'

/** Announces work that waits for a process; heard at commit, may be lost. */
export const announceWork = async (db: Db, table: string): Promise<void> => {
  const notify = sql<null>`pg_notify(${workChannel}, ${table})`
  await db.selectNoFrom(notify.as('notified')).execute()
}
