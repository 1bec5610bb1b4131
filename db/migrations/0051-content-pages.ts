import { sql, type Kysely } from 'kysely'

/** Without a status the archived ones are not shown; with one, other indexes serve. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`drop index content_newest`.execute(db)
  await sql`create index content_newest on content (workspace_id, id desc)
    where deleted_at is null and archived_at is null`.execute(db)
  await sql`drop index content_project`.execute(db)
  await sql`create index content_project on content (workspace_id, project_id, id desc)
    where deleted_at is null and archived_at is null`.execute(db)
}
