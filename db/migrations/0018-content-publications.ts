import { sql, type Kysely } from 'kysely'

const publication = sql`
  create table content_publication (
    workspace_id uuid not null, id uuid not null, content_id uuid not null, version integer not null,
    target_id uuid not null, target_name text not null, kind text not null,
    action text not null check (action in ('publish', 'update', 'unpublish')),
    state text not null check (state in ('scheduled', 'queued', 'running', 'retrying', 'unknown', 'awaiting_merge',
      'succeeded', 'failed', 'cancelled')),
    error text, publish_at timestamptz, timezone text, misfire text not null, republish boolean not null,
    dedupe_key text not null, retired_at timestamptz,
    attempts json not null default '[]', attempt_count integer not null default 0, external json,
    next_attempt_at timestamptz, lease_epoch integer not null default 0, lease_until timestamptz,
    principal json not null, created_by uuid not null, created_at timestamptz not null default now(),
    finished_at timestamptz,
    primary key (workspace_id, id),
    foreign key (workspace_id, content_id) references content on delete cascade)`

/** What is live where; published_version of a record is computed from these rows. */
const placement = sql`
  create table content_placement (
    workspace_id uuid not null, content_id uuid not null, target_id uuid not null, kind text not null,
    version integer not null, publication_id uuid not null, external json, live boolean not null,
    published_at timestamptz not null default now(), updated_at timestamptz not null default now(),
    primary key (workspace_id, content_id, target_id),
    foreign key (workspace_id, content_id) references content on delete cascade)`

const indexes = [
  // Of many who publish the same version at once, one makes the row.
  sql`create unique index content_publication_once on content_publication (workspace_id, dedupe_key)
    where state <> 'cancelled' and retired_at is null`,
  sql`create index content_publication_of on content_publication (workspace_id, content_id, id desc)`,
  sql`create index content_publication_due on content_publication (next_attempt_at)
    where state in ('scheduled', 'queued', 'retrying', 'unknown', 'awaiting_merge')`,
  sql`create index content_publication_lease on content_publication (lease_until) where state = 'running'`,
  sql`create index content_placement_target on content_placement (workspace_id, target_id, updated_at desc) where live`
]

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [publication, placement, ...indexes]) await statement.execute(db)
}
