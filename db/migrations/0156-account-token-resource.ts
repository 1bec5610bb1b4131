import { sql, type Kysely } from 'kysely'

/** Where a connected assistant's token is taken, and until when: it is replaced long before the connection ends. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table account_token add column resource text, add column access_until timestamptz`.execute(db)
}
