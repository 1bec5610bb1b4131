import { sql, type Kysely } from 'kysely'

/** The model that gave an answer; null before it was kept, and where no model did. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table agent_message add column model text`.execute(db)
}
