import { sql, type Kysely } from 'kysely'

/** The credential that signed a vote; null = nothing did. The signature itself is in the record. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table agent_vote add column signed_with text`.execute(db)
}
