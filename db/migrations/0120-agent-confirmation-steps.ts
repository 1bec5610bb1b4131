import { sql, type Kysely } from 'kysely'

/** The plan of steps with which a question is decided; null = it is decided by itself. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table agent_confirmation add column steps json`.execute(db)
}
