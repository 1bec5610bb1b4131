import { sql, type Kysely } from 'kysely'

/**
 * Ids are the code host's own, as text: they survive renames, and a name may pass to another repository. The sync_
 * columns say how far the stored activity of the repository goes.
 */
const repository = sql`
  create table codehost_repository (
    workspace_id uuid not null references workspace, id text not null, full_name text not null,
    default_branch text not null, private boolean not null,
    sync_state text not null default 'disconnected'
      check (sync_state in ('live', 'backfilling', 'stale', 'disconnected')),
    last_synced_at timestamptz, activity_complete_from timestamptz,
    created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
    primary key (workspace_id, id))`

const access = sql`
  create table codehost_repository_access (
    workspace_id uuid not null, user_id uuid not null, repo_id text not null,
    permission text not null check (permission in ('read', 'write', 'admin')),
    checked_at timestamptz not null default now(),
    primary key (workspace_id, user_id, repo_id),
    foreign key (workspace_id, user_id) references account_user,
    foreign key (workspace_id, repo_id) references codehost_repository on delete cascade)`

const indexes = [
  sql`create index codehost_repository_name on codehost_repository (workspace_id, lower(full_name))`,
  sql`create index codehost_repository_access_repo on codehost_repository_access (workspace_id, repo_id)`
]

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [repository, access, ...indexes]) await statement.execute(db)
}
