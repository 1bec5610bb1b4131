import { sql, type Kysely } from 'kysely'

/** What a session's state is follows from its columns and its generations: there is nothing to fall out of step. */
const session = sql`
  create table pse_session (
    workspace_id uuid not null references workspace, id uuid not null, project_id uuid,
    title text not null, description text not null, spec_type text not null, profile text not null,
    notation text not null, locale text not null, artifacts json not null, standards json not null,
    options json not null, stale boolean not null default false, blocking json not null default '[]',
    current_version integer, approved_version integer, approved boolean not null default false,
    archived_at timestamptz, next_seq integer not null default 1, input_chars bigint not null default 0,
    event_seq bigint not null default 0, revision integer not null default 1, created_by uuid not null,
    created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
    primary key (workspace_id, id),
    foreign key (workspace_id, project_id) references account_project)`

const input = sql`
  create table pse_input (
    workspace_id uuid not null, id uuid not null, session_id uuid not null, seq integer not null,
    kind text not null, label text not null, source json not null, source_key text,
    trust text not null check (trust in ('user', 'external')), superseded_by integer,
    media_type text not null, bytes bigint not null, chars integer not null, sha256 text not null,
    truncated boolean not null default false, pages integer, text text not null, about json, detail json,
    created_by uuid not null, created_at timestamptz not null default now(),
    primary key (workspace_id, session_id, seq),
    foreign key (workspace_id, session_id) references pse_session on delete cascade)`

const chunk = sql`
  create table pse_chunk (
    workspace_id uuid not null, session_id uuid not null, input_seq integer not null, number integer not null,
    heading_path json not null, char_start integer not null, char_end integer not null, sha256 text not null,
    token_estimate integer not null,
    primary key (workspace_id, session_id, input_seq, number),
    foreign key (workspace_id, session_id, input_seq) references pse_input on delete cascade)`

/** document is json: its bytes are what content_hash is of. */
const version = sql`
  create table pse_version (
    workspace_id uuid not null, session_id uuid not null, version integer not null, parent_version integer,
    generation_id uuid, origin text not null, inputs_seq integer not null, document json not null,
    content_hash text not null, standards json not null, checks json,
    engine text not null, requirements integer not null, open_questions integer not null,
    created_by uuid not null, created_at timestamptz not null default now(),
    primary key (workspace_id, session_id, version),
    foreign key (workspace_id, session_id) references pse_session on delete cascade)`

const generation = sql`
  create table pse_generation (
    workspace_id uuid not null, id uuid not null, session_id uuid not null, status text not null,
    mode text not null, engine text not null, model text, request json not null, standards json not null,
    inputs_seq integer not null, base_version integer, result_version integer,
    estimate json not null, warnings json not null default '[]', suggestions json not null default '[]', error json,
    cancel_requested_at timestamptz, attempts integer not null default 0,
    lease_owner uuid, lease_epoch bigint not null default 0, lease_until timestamptz,
    created_by uuid not null, created_at timestamptz not null default now(), started_at timestamptz,
    finished_at timestamptz,
    primary key (workspace_id, id),
    foreign key (workspace_id, session_id) references pse_session on delete cascade)`

/** A step's result is written once; a generation that is taken up again does not do it again. */
const step = sql`
  create table pse_step (
    workspace_id uuid not null, generation_id uuid not null, key text not null, ordinal integer not null,
    status text not null, attempt integer not null default 0, result json, error json,
    input_tokens bigint not null default 0, output_tokens bigint not null default 0,
    cache_read_tokens bigint not null default 0, cache_write_tokens bigint not null default 0,
    cost_usd_micros bigint default 0, started_at timestamptz, finished_at timestamptz,
    primary key (workspace_id, generation_id, key),
    foreign key (workspace_id, generation_id) references pse_generation on delete cascade)`

const active = sql.raw("('queued', 'running', 'checking', 'repairing', 'merging')")

const indexes = [
  sql`create index pse_session_recent on pse_session (workspace_id, id desc)`,
  sql`create index pse_session_project on pse_session (workspace_id, project_id, id desc)`,
  sql`create unique index pse_input_id on pse_input (workspace_id, session_id, id)`,
  sql`create index pse_input_source on pse_input (workspace_id, session_id, source_key)
    where source_key is not null and superseded_by is null`,
  // One generation of a session at a time: the index decides every race of two.
  sql`create unique index pse_generation_active on pse_generation (workspace_id, session_id)
    where status in ${active}`,
  sql`create index pse_generation_session on pse_generation (workspace_id, session_id, id desc)`,
  sql`create index pse_generation_lease on pse_generation (lease_until) where status in ${active}`
]

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [session, input, chunk, version, generation, step, ...indexes]) await statement.execute(db)
}
