import { sql, type Kysely } from 'kysely'

/** Whether what somebody changed at the target may be written over. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table content_publication add column overwrite boolean not null default false`.execute(db)
}
