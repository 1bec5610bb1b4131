import { sql, type Kysely } from 'kysely'

/** In whose name a deployment, and its cancel, ask AWS: the person, the run and the approval. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table service_deployment add column acting_for json, add column cancel_for json`.execute(db)
}
