import { sql, type Kysely } from 'kysely'

/** When an alert began, by its sender: an end that comes late ends nothing that began after it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table agent_trigger_alert add column started_at timestamptz`.execute(db)
}
