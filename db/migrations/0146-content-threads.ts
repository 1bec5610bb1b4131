import { sql, type Kysely } from 'kysely'

/** Comments on passages: where each was made, and where the passage is in the newest version; null = it is gone. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table content_thread (
    workspace_id uuid not null, id uuid not null, content_id uuid not null, version integer not null,
    field text not null, exact text not null, prefix text not null, suffix text not null,
    start_at integer not null, end_at integer not null,
    anchor_field text, anchor_start integer, anchor_end integer, resolved_by uuid, resolved_at timestamptz,
    revision integer not null default 1, created_by uuid not null, created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(), primary key (workspace_id, id),
    foreign key (workspace_id, content_id) references content on delete cascade)`.execute(db)
  await sql`create table content_comment (
    workspace_id uuid not null, id uuid not null, thread_id uuid not null, author uuid not null, text text not null,
    created_at timestamptz not null default now(), primary key (workspace_id, id),
    foreign key (workspace_id, thread_id) references content_thread on delete cascade)`.execute(db)
  await sql`create index content_thread_of on content_thread (workspace_id, content_id, id desc)`.execute(db)
  await sql`create index content_comment_of on content_comment (workspace_id, thread_id, id)`.execute(db)
}
