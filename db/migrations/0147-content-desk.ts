import { sql, type Kysely } from 'kysely'

/** Who reviews a record, and of which version of its source a translation is. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table content add column reviewer uuid, add column translated_version integer`.execute(db)
}
