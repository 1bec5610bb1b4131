import { sql, type Kysely } from 'kysely'

/** Other people's MCP servers, and their tools as they were accepted and as they are offered now. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table tool_server (
    workspace_id uuid not null, id uuid not null, name text not null, url text not null,
    header_names text[] not null default '{}', headers bytea, enabled boolean not null default true,
    left_out json not null default '[]', problem json, looked_at timestamptz,
    revision integer not null default 1, created_by uuid not null,
    created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
    primary key (workspace_id, id))`.execute(db)
  await sql`create unique index tool_server_name on tool_server (workspace_id, name)`.execute(db)
  await sql`create table tool_server_tool (
    workspace_id uuid not null, server_id uuid not null, name text not null,
    mode text not null check (mode in ('read', 'ask', 'off')),
    pinned json, pinned_hash text, offered json, offered_hash text,
    accepted_by uuid, accepted_at timestamptz,
    primary key (workspace_id, server_id, name),
    foreign key (workspace_id, server_id) references tool_server on delete cascade)`.execute(db)
}
