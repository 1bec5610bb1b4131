import { sql, type Kysely } from 'kysely'

/**
 * What a deployment was asked for on; the release before writes none, and what it has queued is sent as before.
 * 0168-approved-builds does the same for builds: a migration locks one table.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table service_deployment add column expected json`.execute(db)
}
