import { sql, type Kysely } from 'kysely'

/** The first question of those that followed each other, and what a person wants changed. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table agent_confirmation add column thread_id uuid, add column changes text`.execute(db)
}
