import { sql, type Kysely } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table audit (
      workspace_id uuid not null, id uuid not null, at timestamptz not null default now(), user_id uuid,
      via text not null, via_id uuid, operation text not null, target text, outcome text not null,
      status integer not null, remote_address text, request_id text not null,
      primary key (workspace_id, id))`.execute(db)
  await sql`
    create table idempotency_key (
      workspace_id uuid not null, principal text not null, operation text not null, key text not null,
      body_hash bytea not null, status integer, headers json, body text,
      created_at timestamptz not null default now(), finished_at timestamptz,
      primary key (workspace_id, principal, operation, key))`.execute(db)
  await sql`create index idempotency_key_age on idempotency_key (created_at)`.execute(db)
  await sql`
    create table rate_window (
      workspace_id uuid not null, principal text not null, window_start timestamptz not null, count integer not null,
      primary key (workspace_id, principal, window_start))`.execute(db)
  await sql`
    create table stream_event (
      workspace_id uuid not null, stream_id uuid not null, position bigint not null,
      event text not null, data json not null, created_at timestamptz not null default now(),
      primary key (workspace_id, stream_id, position))`.execute(db)
}
