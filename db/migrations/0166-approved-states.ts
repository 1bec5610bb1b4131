import { sql, type Kysely } from 'kysely'

/**
 * What a deployment or a build was asked for on, and what a build has left; the release before writes none, and what it
 * has queued is sent as before.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table service_deployment add column expected json`.execute(db)
  await sql`alter table deployment_build add column expected json, add column verified json`.execute(db)
}
