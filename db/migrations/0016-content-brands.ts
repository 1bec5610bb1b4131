import { sql, type Kysely } from 'kysely'

const brand = sql`
  create table content_brand (
    workspace_id uuid not null, project_id uuid not null, version integer not null, settings json not null,
    updated_by uuid not null, updated_at timestamptz not null default now(),
    primary key (workspace_id, project_id),
    foreign key (workspace_id, project_id) references account_project)`

const version = sql`
  create table content_brand_version (
    workspace_id uuid not null, project_id uuid not null, version integer not null, settings json not null,
    created_by uuid not null, created_at timestamptz not null default now(),
    primary key (workspace_id, project_id, version),
    foreign key (workspace_id, project_id) references content_brand on delete cascade)`

/** What a target knows beside its settings: a replaced secret signs along until previous_until. */
const target = sql`
  create table content_target (
    workspace_id uuid not null, id uuid not null, project_id uuid not null,
    secret bytea, previous_secret bytea, previous_until timestamptz, disabled_reason text,
    primary key (workspace_id, id),
    foreign key (workspace_id, project_id) references content_brand on delete cascade)`

const brief = sql`
  create table content_brief (
    workspace_id uuid not null, id uuid not null, project_id uuid not null,
    status text not null default 'draft' check (status in ('draft', 'ready', 'in_use', 'done', 'archived')),
    title text not null, channels text[] not null, body json not null, revision integer not null default 1,
    created_by uuid not null, created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (workspace_id, id),
    foreign key (workspace_id, project_id) references account_project)`

const indexes = [
  sql`create index content_target_project on content_target (workspace_id, project_id)`,
  sql`create index content_brief_project on content_brief (workspace_id, project_id, id desc)`
]

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [brand, version, target, brief, ...indexes]) await statement.execute(db)
}
