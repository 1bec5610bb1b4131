import { sql, type Kysely } from 'kysely'

const generation = sql`
  create table content_generation (
    workspace_id uuid not null, id uuid not null, project_id uuid not null, brief_id uuid,
    mode text not null, engine text not null, plan json, brief json,
    status text not null check (status in ('queued', 'running', 'succeeded', 'partial', 'failed', 'cancelled',
      'budget_exceeded')),
    request json not null, estimate json not null, brand_version integer not null, prompt_inputs json not null,
    retry_of uuid, error json, warned_at timestamptz,
    cancel_requested_at timestamptz, event_seq bigint not null default 0,
    attempts integer not null default 0, lease_owner uuid, lease_epoch bigint not null default 0,
    lease_until timestamptz, created_by uuid not null, created_at timestamptz not null default now(),
    started_at timestamptz, finished_at timestamptz,
    primary key (workspace_id, id),
    foreign key (workspace_id, project_id) references account_project)`

/** One record that a generation writes. Its proposal is kept: what the engine wrote is known as such later. */
const output = sql`
  create table content_generation_output (
    workspace_id uuid not null, generation_id uuid not null, number integer not null, content_id uuid not null,
    channel text not null, network text, locale text not null, variant integer not null,
    base_version integer not null, source_id uuid, source_version integer,
    status text not null check (status in ('pending', 'done', 'failed', 'cancelled')),
    proposal json, result_version integer, suggestions integer not null default 0,
    refused json not null default '[]', error json,
    primary key (workspace_id, generation_id, number),
    foreign key (workspace_id, generation_id) references content_generation on delete cascade,
    foreign key (workspace_id, content_id) references content on delete cascade)`

/** A step's result is written once: a generation that is taken up again does not do it again. */
const step = sql`
  create table content_generation_step (
    workspace_id uuid not null, generation_id uuid not null, key text not null, ordinal integer not null,
    status text not null check (status in ('running', 'done', 'failed')), attempt integer not null default 0,
    result json, error json,
    input_tokens bigint not null default 0, output_tokens bigint not null default 0,
    cache_read_tokens bigint not null default 0, cache_write_tokens bigint not null default 0,
    cost_usd_micros bigint default 0, started_at timestamptz, finished_at timestamptz,
    primary key (workspace_id, generation_id, key),
    foreign key (workspace_id, generation_id) references content_generation on delete cascade)`

const suggestion = sql`
  create table content_suggestion (
    workspace_id uuid not null, id uuid not null, content_id uuid not null, generation_id uuid not null,
    target text not null, before text not null, text text not null,
    status text not null default 'open' check (status in ('open', 'accepted', 'rejected')),
    decided_by uuid, decided_at timestamptz, created_at timestamptz not null default now(),
    primary key (workspace_id, id),
    foreign key (workspace_id, content_id) references content on delete cascade)`

const indexes = [
  // One generation at a time writes a record: the index decides every race of two.
  sql`create unique index content_generation_busy on content_generation_output (workspace_id, content_id)
    where status = 'pending'`,
  sql`create index content_generation_output_of on content_generation_output (workspace_id, content_id,
    generation_id desc)`,
  sql`create index content_generation_recent on content_generation (workspace_id, project_id, id desc)`,
  sql`create index content_generation_newest on content_generation (workspace_id, id desc)`,
  sql`create index content_generation_lease on content_generation (lease_until)
    where status in ('queued', 'running')`,
  sql`create index content_suggestion_of on content_suggestion (workspace_id, content_id, id desc)`
]

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [generation, output, step, suggestion, ...indexes]) await statement.execute(db)
}
