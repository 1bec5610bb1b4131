import { sql, type Kysely } from 'kysely'

/** Which questions of the standards a person has answered with yes, for the version that was approved. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table pse_version add column reviews json not null default '[]'`.execute(db)
}
