import { sql, type Kysely } from 'kysely'

/** status is computed by the database, so nothing can write it. */
const content = sql`
  create table content (
    workspace_id uuid not null, id uuid not null, project_id uuid not null, brief_id uuid, group_id uuid not null,
    variant integer not null default 1, translation_of uuid,
    channel text not null, network text, locale text not null, title text not null, slug text not null,
    engine text not null check (engine in ('human', 'template', 'anthropic')),
    head_version integer not null default 1, revision integer not null default 1,
    review_state text not null default 'draft' check (review_state in ('draft', 'in_review', 'approved')),
    approved_version integer, published_version integer, scheduled_version integer,
    score integer not null, verdict text not null, archived_at timestamptz, deleted_at timestamptz,
    status text not null generated always as (
      case when archived_at is not null then 'archived' when published_version is not null then 'published'
        when scheduled_version is not null then 'scheduled' else review_state end) stored,
    created_by uuid not null, created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (workspace_id, id),
    foreign key (workspace_id, project_id) references account_project,
    foreign key (workspace_id, brief_id) references content_brief)`

const version = sql`
  create table content_version (
    workspace_id uuid not null, content_id uuid not null, version integer not null,
    body json not null, content_hash text not null,
    origin text not null check (origin in ('generated', 'edited', 'merged', 'restored', 'imported')),
    review_state text not null default 'draft' check (review_state in ('draft', 'in_review', 'approved')),
    review_comment text, reviewed_by uuid, reviewed_at timestamptz,
    brand_version integer not null, checks json not null, author uuid not null,
    created_at timestamptz not null default now(),
    primary key (workspace_id, content_id, version),
    foreign key (workspace_id, content_id) references content on delete cascade)`

const indexes = [
  sql`create unique index content_slug on content (workspace_id, project_id, channel, (coalesce(network, '')), locale,
    slug) where deleted_at is null`,
  sql`create index content_newest on content (workspace_id, id desc) where deleted_at is null`,
  sql`create index content_project on content (workspace_id, project_id, id desc) where deleted_at is null`,
  sql`create index content_status on content (workspace_id, status, id desc) where deleted_at is null`,
  sql`create index content_project_status on content (workspace_id, project_id, status, id desc)
    where deleted_at is null`,
  sql`create index content_brief_of on content (workspace_id, brief_id, id desc) where brief_id is not null`,
  sql`create index content_version_hash on content_version (workspace_id, content_hash)`
]

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [content, version, ...indexes]) await statement.execute(db)
}
