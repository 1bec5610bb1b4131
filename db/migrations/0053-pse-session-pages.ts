import { sql, type Kysely } from 'kysely'

/** A first page reads its own rows alone. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create index pse_session_newest on pse_session (workspace_id, id desc)
    where deleted_at is null and archived_at is null`.execute(db)
}
