import { sql, type Kysely } from 'kysely'

/** Groups of people, to whom roles are bound and whom policies name. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table account_group (
    workspace_id uuid not null references workspace, id uuid not null, name text not null,
    revision integer not null default 1, created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (workspace_id, id))`.execute(db)
  await sql`create unique index account_group_name on account_group (workspace_id, lower(name))`.execute(db)
}
