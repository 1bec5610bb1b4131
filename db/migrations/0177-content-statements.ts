import { sql, type Kysely } from 'kysely'

/** What the statements of a record were judged to be, and who accepted which of them as their own. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table content_statement (
    workspace_id uuid not null, id uuid not null, content_id uuid not null, key text not null, text text not null,
    fact_ids text[] not null default '{}', facts_hash text, verdict text, reason text, generation_id uuid,
    judged_at timestamptz, accepted_by uuid, accepted_at timestamptz, accepted_because text,
    primary key (workspace_id, id), unique (workspace_id, content_id, key),
    foreign key (workspace_id, content_id) references content on delete cascade)`.execute(db)
}
