import { sql, type Kysely } from 'kysely'

/** What an account is for, and whether anything may be changed through it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table cloud_account add column environment text, add column read_only boolean not null default false`
    .execute(db)
}
