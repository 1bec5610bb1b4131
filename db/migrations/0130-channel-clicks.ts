import { sql, type Kysely } from 'kysely'

/** Clicks that were acknowledged, until what they ask for is done: a process that ends meanwhile loses none. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table channel_click (
    workspace_id uuid not null references workspace, id uuid not null, click json not null,
    status text not null default 'active' check (status = 'active'), attempts integer not null default 0,
    next_attempt_at timestamptz not null default now(), lease_epoch bigint not null default 0,
    lease_until timestamptz, created_at timestamptz not null default now(), primary key (workspace_id, id))`.execute(db)
  await sql`create index channel_click_due on channel_click (next_attempt_at)`.execute(db)
}
