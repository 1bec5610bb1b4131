import { sql, type Kysely } from 'kysely'

/** What is to be said of a publication: that another goes to the same target at nearly the same time. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table content_publication add column warnings json not null default '[]'`.execute(db)
  await sql`create index content_publication_at on content_publication
    (workspace_id, target_id, (coalesce(publish_at, created_at)))`.execute(db)
}
