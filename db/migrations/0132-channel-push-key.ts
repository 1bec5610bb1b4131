import { sql, type Kysely } from 'kysely'

/** The keys by which services of web push know the installation, in its first workspace. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table channel_push_key (
    workspace_id uuid not null references workspace, id uuid not null, public_key text not null, secret bytea,
    created_at timestamptz not null default now(), retired_at timestamptz, primary key (workspace_id, id))`.execute(db)
  await sql`create unique index channel_push_key_current on channel_push_key (workspace_id)
    where retired_at is null`.execute(db)
}
