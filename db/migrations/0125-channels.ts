import { sql, type Kysely } from 'kysely'

const channel = sql`create table channel (
  workspace_id uuid not null references workspace, id uuid not null, user_id uuid not null,
  kind text not null check (kind in ('webhook', 'email', 'slack', 'push')), name text not null, address text not null,
  secret bytea, events json not null, quiet json, digest json, next_digest_at timestamptz,
  code_hash bytea, code_until timestamptz, code_tries integer not null default 0, confirmed_at timestamptz,
  enabled boolean not null default true, off_reason text, attempts integer not null default 0,
  failing_since timestamptz, paused_until timestamptz, last_error text, last_sent_at timestamptz,
  revision integer not null default 1, created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(), primary key (workspace_id, id))`

const delivery = sql`create table channel_delivery (
  workspace_id uuid not null, id uuid not null, channel_id uuid not null, user_id uuid not null,
  event text not null, subject_id uuid not null, facts json not null, wanted text not null, shown text, ref json,
  status text not null default 'active' check (status in ('active', 'dead')), attempts integer not null default 0,
  last_error text, next_attempt_at timestamptz, lease_epoch bigint not null default 0, lease_until timestamptz,
  created_at timestamptz not null default now(), sent_at timestamptz, primary key (workspace_id, id),
  foreign key (workspace_id, channel_id) references channel on delete cascade)`

/** Since when a workspace's events were looked for. */
const look = sql`create table channel_look (
  workspace_id uuid primary key references workspace, looked_at timestamptz not null default now(),
  claimed_at timestamptz not null default now())`

/** Where people hear of what waits for them, what each channel was sent, and what it was not. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const table of [channel, delivery, look]) await table.execute(db)
  await sql`create index channel_of_person on channel (workspace_id, user_id)`.execute(db)
  await sql`create index channel_address on channel (workspace_id, kind, address)`.execute(db)
  await sql`create index channel_digest on channel (next_digest_at) where enabled`.execute(db)
  await sql`create unique index channel_delivery_once
    on channel_delivery (workspace_id, channel_id, event, subject_id)`.execute(db)
  await sql`create index channel_delivery_due on channel_delivery (next_attempt_at)
    where status = 'active' and next_attempt_at is not null`.execute(db)
  await sql`create index channel_delivery_open on channel_delivery (workspace_id, user_id)
    where wanted = 'pending'`.execute(db)
}
