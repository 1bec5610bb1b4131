import { sql, type Kysely } from 'kysely'

/** cloud_account_id repeats what the target's id says, so that the account cannot be deleted under the app. */
const app = sql`
  create table deployment_app (
    workspace_id uuid not null references workspace, id uuid not null, name text not null,
    source json not null, target json not null, cloud_account_id uuid not null, image text,
    environment json not null default '[]', auto_deploy json not null, auto_deploy_by uuid not null,
    next_number integer not null default 1, revision integer not null default 1, created_by uuid not null,
    created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
    primary key (workspace_id, id),
    foreign key (workspace_id, cloud_account_id) references cloud_account)`

const build = sql`
  create table deployment_build (
    workspace_id uuid not null, id uuid not null, app_id uuid not null, number integer not null,
    status text not null, status_reason text,
    trigger text not null check (trigger in ('manual', 'push', 'rollback')),
    ref text not null, commit text, commit_message text, requested_image text, image text, image_digest text,
    target json not null, template text, repo text not null,
    actor text not null, principal json not null, cancel_principal json,
    deployment_id uuid, deploy_attempt integer not null default 0,
    rollback_of uuid, superseded_by uuid, steps json not null,
    log_seq bigint not null default 0, log_lines integer not null default 0, log_bytes bigint not null default 0,
    log_truncated boolean not null default false,
    lease_owner uuid, lease_epoch bigint not null default 0, lease_until timestamptz,
    created_at timestamptz not null default now(), started_at timestamptz, finished_at timestamptz,
    primary key (workspace_id, id),
    foreign key (workspace_id, app_id) references deployment_app on delete cascade)`

const indexes = [
  sql`create unique index deployment_app_name on deployment_app (workspace_id, lower(name))`,
  sql`create index deployment_app_account on deployment_app (workspace_id, cloud_account_id)`,
  sql`create index deployment_app_repo on deployment_app (workspace_id, (source->>'repo'))`,
  // One active build an app: the index decides every race of two.
  sql`create unique index deployment_build_active on deployment_build (workspace_id, app_id)
    where status in ('running', 'cancelling')`,
  sql`create unique index deployment_build_number on deployment_build (workspace_id, app_id, number desc)`,
  sql`create index deployment_build_queue on deployment_build (workspace_id, app_id, number) where status = 'queued'`,
  sql`create index deployment_build_lease on deployment_build (lease_owner, lease_until)
    where status in ('running', 'cancelling')`
]

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [app, build, ...indexes]) await statement.execute(db)
}
