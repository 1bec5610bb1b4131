import { sql, type Kysely } from 'kysely'

/** What is sent of a message instead of its content, and, of a summary, what it stands for. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table agent_message add column sent json, add column compaction json`.execute(db)
}
