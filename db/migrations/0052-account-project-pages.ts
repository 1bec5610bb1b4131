import { sql, type Kysely } from 'kysely'

/** A first page reads its own rows alone. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create index account_project_newest on account_project (workspace_id, id desc)
    where archived_at is null`.execute(db)
}
