import { sql, type Kysely } from 'kysely'

/** What a step's answer depends on: a later generation that asks the same takes it over instead of paying twice. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table pse_step add column model_calls integer not null default 0,
    add column fingerprint text`.execute(db)
}
