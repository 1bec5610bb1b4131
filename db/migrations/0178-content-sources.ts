import { sql, type Kysely } from 'kysely'

/** What a brief's facts are taken from, as text. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table content_source (
    workspace_id uuid not null, id uuid not null, brief_id uuid not null, kind text not null, name text not null,
    media_type text not null, text text not null, created_by uuid not null, read_at timestamptz not null default now(),
    primary key (workspace_id, id), unique (workspace_id, brief_id, name),
    foreign key (workspace_id, brief_id) references content_brief on delete cascade)`.execute(db)
}
