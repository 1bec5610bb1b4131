import { sql, type Kysely } from 'kysely'

/**
 * What is recorded of a write beside its request: what was asked, decided, sent and answered. Rows stay here until they
 * are numbered and chained.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table audit add column kind text not null default 'direct', add column write_id uuid,
    add column body json, alter column status drop not null`.execute(db)
}
