import { sql, type Kysely } from 'kysely'

/** What a grant covers; one of the release before says nothing of it, and covers nothing. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table agent_grant add column if not exists bounds json`.execute(db)
}
