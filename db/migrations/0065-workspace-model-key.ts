import { sql, type Kysely } from 'kysely'

/** The encrypted key with which the workspace asks the model; without one it is the installation's. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table workspace add column model_api_key bytea`.execute(db)
}
