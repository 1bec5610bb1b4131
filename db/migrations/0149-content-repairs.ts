import { sql, type Kysely } from 'kysely'

/** Each repair by rules, with its finding, so that it can be taken back by itself. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table content_repair (
    workspace_id uuid not null, id uuid not null, content_id uuid not null, version integer not null,
    field text not null, start_at integer not null, end_at integer not null, before text not null, after text not null,
    finding json not null, created_by uuid not null, created_at timestamptz not null default now(),
    undone_version integer, undone_by uuid, undone_at timestamptz, primary key (workspace_id, id),
    foreign key (workspace_id, content_id) references content on delete cascade)`.execute(db)
  await sql`create index content_repair_of on content_repair (workspace_id, content_id, id desc)`.execute(db)
}
