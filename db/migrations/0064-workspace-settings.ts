import { sql, type Kysely } from 'kysely'

/** What a workspace has of its own, such as limits; what is not there is as the installation has it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table workspace add column settings json not null default '{}'`.execute(db)
}
