import { sql, type Kysely } from 'kysely'

/** Files that people send with a message, and the sessions that have them: a fork has those of the first. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table agent_attachment (
    workspace_id uuid not null, id uuid not null, user_id uuid not null, sent boolean not null default false,
    name text not null, kind text not null check (kind in ('image', 'pdf', 'text')), media_type text not null,
    size integer not null, tokens integer not null, data bytea not null, created_at timestamptz not null default now(),
    primary key (workspace_id, id))`.execute(db)
  await sql`create index agent_attachment_unused on agent_attachment (created_at) where not sent`.execute(db)
  await sql`create table agent_session_attachment (
    workspace_id uuid not null, session_id uuid not null, attachment_id uuid not null,
    primary key (workspace_id, session_id, attachment_id))`.execute(db)
  await sql`create index agent_session_attachment_file on agent_session_attachment (workspace_id, attachment_id)`
    .execute(db)
}
