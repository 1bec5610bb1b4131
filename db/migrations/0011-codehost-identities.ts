import { sql, type Kysely } from 'kysely'

const identity = sql`
  create table codehost_identity (
    workspace_id uuid not null, id uuid not null, user_id uuid not null,
    host text not null, account_id text not null, login text not null,
    state text not null check (state in ('active', 'needs_reauth', 'disconnected')),
    joined_by text not null check (joined_by in ('link', 'invitation', 'rule')),
    access_token bytea, refresh_token bytea, scope text not null default '',
    expires_at timestamptz, refresh_at timestamptz,
    generation integer not null default 1, lease_until timestamptz, connected_at timestamptz,
    created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
    primary key (workspace_id, id),
    foreign key (workspace_id, user_id) references account_user)`

const indexes = [
  sql`create unique index codehost_identity_account on codehost_identity (workspace_id, host, account_id)`,
  sql`create unique index codehost_identity_user on codehost_identity (workspace_id, host, user_id)`
]

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [identity, ...indexes]) await statement.execute(db)
}
