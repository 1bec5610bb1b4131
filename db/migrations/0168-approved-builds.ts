import { sql, type Kysely } from 'kysely'

/**
 * What a build was asked for on, and what it has left; the release before writes none, and what it has queued is sent
 * as before. A database that ran 0166-approved-states before it was split has the columns.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table deployment_build add column if not exists expected json,
      add column if not exists verified json`.execute(db)
}
