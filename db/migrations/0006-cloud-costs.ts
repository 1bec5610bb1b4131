import { sql, type Kysely } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table cloud_cost (
      workspace_id uuid not null, account_id uuid not null, key text not null, slice json not null,
      fetched_at timestamptz not null default now(), expires_at timestamptz not null,
      primary key (workspace_id, account_id, key),
      foreign key (workspace_id, account_id) references cloud_account on delete cascade)`.execute(db)
  await sql`create index cloud_cost_age on cloud_cost (fetched_at)`.execute(db)
  await sql`
    create table cloud_cost_budget (
      workspace_id uuid not null, account_id uuid not null, day date not null, requests integer not null,
      primary key (workspace_id, account_id, day),
      foreign key (workspace_id, account_id) references cloud_account on delete cascade)`.execute(db)
}
