import { sql, type Kysely } from 'kysely'

/** Signed requests that were taken, for as long as their signature holds: none is taken twice. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table channel_request (
    workspace_id uuid not null references workspace, signature text not null,
    created_at timestamptz not null default now(), primary key (workspace_id, signature))`.execute(db)
}
