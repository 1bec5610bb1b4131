import { sql, type Kysely } from 'kysely'

/** The bytes of an image are in the row, or in an object store under a key. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table content_image alter column data drop not null, add column object_key text`.execute(db)
}
