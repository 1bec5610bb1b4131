import { sql, type Kysely } from 'kysely'

/** A session that was deleted can be brought back for 30 days. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table pse_session add column deleted_at timestamptz`.execute(db)
  await sql`create index pse_session_deleted on pse_session (deleted_at) where deleted_at is not null`.execute(db)
}
