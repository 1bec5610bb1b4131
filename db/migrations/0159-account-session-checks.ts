import { sql, type Kysely } from 'kysely'

/** When whoever vouched for a browser session is asked again; null = nobody is. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table account_session add column check_at timestamptz`.execute(db)
}
