import { sql, type Kysely } from 'kysely'

/** What the trust policy of an account's role lets Steward write on its sessions. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table cloud_account add column session_marks json`.execute(db)
}
