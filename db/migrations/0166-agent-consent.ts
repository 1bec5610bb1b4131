import { sql, type Kysely } from 'kysely'

/** Who changed a question since it was asked; the release before does not write it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table agent_confirmation add column authors json`.execute(db)
}
