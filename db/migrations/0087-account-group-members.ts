import { sql, type Kysely } from 'kysely'

/** Who is in a group. People are never deleted, so no key to them locks their table during an upgrade. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table account_group_member (
    workspace_id uuid not null, group_id uuid not null, user_id uuid not null,
    created_at timestamptz not null default now(),
    primary key (workspace_id, group_id, user_id),
    foreign key (workspace_id, group_id) references account_group on delete cascade)`.execute(db)
  await sql`create index account_group_member_person on account_group_member (workspace_id, user_id)`.execute(db)
}
