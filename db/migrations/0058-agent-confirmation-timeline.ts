import { sql, type Kysely } from 'kysely'

/** Under which timeline of the database a question was asked. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table agent_confirmation add column timeline text`.execute(db)
  await sql`alter table agent_confirmation alter column timeline set default steward_timeline()`.execute(db)
}
