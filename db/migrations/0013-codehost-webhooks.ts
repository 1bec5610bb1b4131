import { sql, type Kysely } from 'kysely'

/** The body is what came, byte for byte: its text may hold what no text column can. */
const receipt = sql`
  create table codehost_receipt (
    workspace_id uuid not null references workspace, id uuid not null,
    delivery_id text not null, event text not null, action text,
    status text not null check (status in ('queued', 'processed', 'duplicate', 'ignored', 'failed')),
    error_code text, content_type text not null, body bytea not null, body_sha256 bytea not null,
    secret_id text not null, hook_id text, repo_id text,
    received_at timestamptz not null default now(), processed_at timestamptz,
    attempts integer not null default 0, next_attempt_at timestamptz not null default now(),
    primary key (workspace_id, id))`

/** Not compressed: that would cost more time than all the rest of storing it. */
const storage = sql`alter table codehost_receipt alter column body set storage external`

/** The id is a hash of what names the fact, so that a webhook and the code host's history meet in one row. */
const activity = sql`
  create table codehost_activity (
    workspace_id uuid not null references workspace, repo_id text not null, id text not null,
    type text not null, actor text, occurred_at timestamptz not null, observed_at timestamptz not null default now(),
    source text not null check (source in ('webhook', 'backfill')),
    ref text, before text, after text, commit_count integer, pull_number integer, subject text, html_url text,
    raw_event text not null, digest bytea not null,
    primary key (workspace_id, repo_id, id))`

const repository = sql`
  alter table codehost_repository
    add column host_updated_at timestamptz, add column last_event_at timestamptz`

const indexes = [
  sql`create unique index codehost_receipt_delivery on codehost_receipt (workspace_id, delivery_id)`,
  sql`create index codehost_receipt_body on codehost_receipt (workspace_id, body_sha256)`,
  sql`create index codehost_receipt_queue on codehost_receipt (next_attempt_at) where status = 'queued'`,
  sql`create index codehost_receipt_failed on codehost_receipt (workspace_id, id desc) where status = 'failed'`,
  sql`create index codehost_receipt_age on codehost_receipt (received_at)`,
  sql`create index codehost_activity_feed on codehost_activity (workspace_id, repo_id, occurred_at desc, id desc)`,
  sql`create index codehost_activity_ref on codehost_activity (workspace_id, repo_id, ref, occurred_at desc)
    where after is not null`
]

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [receipt, storage, activity, repository, ...indexes]) await statement.execute(db)
}
