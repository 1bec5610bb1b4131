import { sql, type Kysely } from 'kysely'

/** How a workspace's own model is asked, with its key: one encrypted cell. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table workspace add column model_connection bytea`.execute(db)
}
