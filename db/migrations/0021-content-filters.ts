import { sql, type Kysely } from 'kysely'

/** A page of what is rare among ten thousand records is read at once too. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create index content_channel on content (workspace_id, channel, id desc)
    where deleted_at is null`.execute(db)
  await sql`create index content_locale on content (workspace_id, locale, id desc)
    where deleted_at is null`.execute(db)
}
