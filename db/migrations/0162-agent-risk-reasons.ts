import { sql, type Kysely } from 'kysely'

/** Why the risk of a question is what it is; the release before writes none. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table agent_confirmation add column risk_reasons json not null default '[]'`.execute(db)
}
