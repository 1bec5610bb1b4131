import { sql, type Kysely } from 'kysely'

/** Whose link let the person in; null where no colleague's did, or it was before it was kept. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table agent_vote add column if not exists let_in_by uuid`.execute(db)
}
