import { sql, type Kysely } from 'kysely'

const entry = sql`create table audit_entry (
  workspace_id uuid not null, seq bigint not null, id uuid not null, at timestamptz not null, kind text not null,
  write_id uuid not null, operation text not null, target text, outcome text not null, status integer, user_id uuid,
  via text not null, via_id uuid, remote_address text, request_id text not null, body json,
  previous text not null, hash text not null, words tsvector not null,
  primary key (workspace_id, seq))`

const chain = sql`create table audit_chain (
  workspace_id uuid primary key references workspace, seq bigint not null default 0, hash text not null,
  cut_seq bigint not null default 0, checkpoint_seq bigint not null default 0, checkpoint_hash text,
  checkpoint_at timestamptz not null default now())`

const checkpoint = sql`create table audit_checkpoint (
  workspace_id uuid not null, seq bigint not null, hash text not null, at timestamptz not null,
  previous text, key_id uuid not null, public_key text not null, signature text not null,
  primary key (workspace_id, seq))`

/** Of the installation, in its first workspace. */
const key = sql`create table audit_key (
  workspace_id uuid not null, id uuid not null, public_key text not null, secret bytea,
  created_at timestamptz not null default now(), retired_at timestamptz, primary key (workspace_id, id))`

const destination = sql`create table audit_destination (
  workspace_id uuid not null references workspace, id uuid not null, name text not null,
  kind text not null check (kind in ('webhook', 'syslog', 'otlp')), url text not null, ca text,
  sends text not null check (sends in ('all', 'checkpoints')), secret bytea, enabled boolean not null default true,
  off_reason text, status text not null default 'active', position bigint not null default 0,
  checkpoint_position bigint not null default 0, attempts integer not null default 0, failing_since timestamptz,
  last_error text, last_sent_at timestamptz, next_attempt_at timestamptz, lease_epoch bigint not null default 0,
  lease_until timestamptz, revision integer not null default 1, created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(), primary key (workspace_id, id))`

const letter = sql`create table audit_dead_letter (
  workspace_id uuid not null, id uuid not null, destination_id uuid not null,
  what text not null check (what in ('entries', 'checkpoints')), from_seq bigint not null, to_seq bigint not null,
  error text not null, created_at timestamptz not null default now(), primary key (workspace_id, id),
  foreign key (workspace_id, destination_id) references audit_destination on delete cascade)`

/** The record: entries that are numbered and chained, checkpoints of them, and where they are forwarded to. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const table of [entry, chain, checkpoint, key, destination, letter]) await table.execute(db)
  await sql`create index audit_entry_id on audit_entry (workspace_id, id)`.execute(db)
  await sql`create index audit_entry_write on audit_entry (workspace_id, write_id)`.execute(db)
  await sql`create index audit_entry_person on audit_entry (workspace_id, user_id, seq)`.execute(db)
  await sql`create index audit_entry_operation on audit_entry (workspace_id, operation, seq)`.execute(db)
  await sql`create index audit_entry_time on audit_entry (workspace_id, at)`.execute(db)
  await sql`create index audit_entry_words on audit_entry using gin (words)`.execute(db)
  await sql`create unique index audit_key_current on audit_key (workspace_id) where retired_at is null`.execute(db)
  await sql`create index audit_destination_due on audit_destination (next_attempt_at) where enabled`.execute(db)
  await sql`create index audit_dead_letter_of on audit_dead_letter (workspace_id, destination_id, id)`.execute(db)
}
