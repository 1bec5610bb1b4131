import { sql, type Kysely } from 'kysely'

/** Whether a change made at the target may be written over. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table content_publication add column overwrite boolean not null default false`.execute(db)
}
