import { sql, type Kysely } from 'kysely'

/** Comments are changed and deleted by who wrote them; a deleted one that was answered stays, without its text. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table content_comment add column edited_at timestamptz, add column deleted_at timestamptz`.execute(db)
}
