import { sql, type Kysely } from 'kysely'

/**
 * From which message on a session is sent to its model, and by how many characters and tokens its last request was
 * measured; 0 = from the first, and not measured yet.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table agent_session add column sent_since bigint not null default 0,
    add column context_tokens bigint not null default 0,
    add column context_characters bigint not null default 0`.execute(db)
}
