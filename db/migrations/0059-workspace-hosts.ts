import { sql, type Kysely } from 'kysely'

/** The host names at which a workspace is reached; one without any is reached at the installation's own address. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table workspace add column hosts text[] not null default '{}'`.execute(db)
}
