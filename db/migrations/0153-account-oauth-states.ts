import { sql, type Kysely } from 'kysely'

/** What the authorization server keeps between two requests: of a consent under way, of codes, of refresh tokens. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table account_oauth_state (
    workspace_id uuid not null references workspace, model text not null, hash bytea not null, payload json,
    encrypted bytea, grant_id text, user_code bytea, consumed_at timestamptz, expires_at timestamptz not null,
    created_at timestamptz not null default now(), primary key (workspace_id, model, hash))`.execute(db)
  await sql`create index account_oauth_state_grant on account_oauth_state (workspace_id, grant_id)
    where grant_id is not null`.execute(db)
  await sql`create unique index account_oauth_state_user_code on account_oauth_state (workspace_id, user_code)
    where user_code is not null`.execute(db)
  await sql`create index account_oauth_state_end on account_oauth_state (expires_at)`.execute(db)
}
