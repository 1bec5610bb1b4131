import { sql, type Kysely } from 'kysely'

/** What a cancel was approved on; the release before writes none, and what it has queued is compared with our own id. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table service_deployment add column cancel_expected json`.execute(db)
}
