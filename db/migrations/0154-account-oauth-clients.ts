import { sql, type Kysely } from 'kysely'

/** Clients that registered themselves. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table account_oauth_client (
    workspace_id uuid not null references workspace, id text not null, metadata bytea not null, address text not null,
    used_at timestamptz, created_at timestamptz not null default now(), primary key (workspace_id, id))`.execute(db)
  await sql`create index account_oauth_client_address on account_oauth_client (workspace_id, address, created_at)`
    .execute(db)
}
