import { sql, type Kysely } from 'kysely'

/** Since when a person keeps the session in sight. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table agent_session add column pinned_at timestamptz`.execute(db)
}
