import { sql, type Kysely } from 'kysely'

/** Who has to approve a question; null = one person, as before there were policies. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table agent_confirmation add column requirement json`.execute(db)
}
