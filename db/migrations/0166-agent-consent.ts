import { sql, type Kysely } from 'kysely'

/** Who changed a question since it was asked, and what a grant covers; the release before writes neither. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table agent_confirmation add column authors json`.execute(db)
  await sql`alter table agent_grant add column bounds json`.execute(db)
}
