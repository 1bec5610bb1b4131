import { sql, type Kysely } from 'kysely'

/** Whose link let the person in; null where no colleague's did, or it was before it was kept. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table account_link add column if not exists issued_by uuid`.execute(db)
}
