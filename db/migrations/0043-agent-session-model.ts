import { sql, type Kysely } from 'kysely'

/** The number of the first message to the session's present model: thinking before it is another model's. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table agent_session add column model_since bigint not null default 0`.execute(db)
}
