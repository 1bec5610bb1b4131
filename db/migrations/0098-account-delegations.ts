import { sql, type Kysely } from 'kysely'

/** Who approves for whom, for a time. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table account_delegation (
    workspace_id uuid not null, id uuid not null, from_user_id uuid not null, to_user_id uuid not null,
    until timestamptz not null, revoked_at timestamptz, created_at timestamptz not null default now(),
    primary key (workspace_id, id), check (from_user_id <> to_user_id),
    foreign key (workspace_id, from_user_id) references account_user on delete cascade,
    foreign key (workspace_id, to_user_id) references account_user on delete cascade)`.execute(db)
  await sql`create index account_delegation_to on account_delegation (workspace_id, to_user_id, until)
    where revoked_at is null`.execute(db)
  await sql`create index account_delegation_from on account_delegation (workspace_id, from_user_id, id)`.execute(db)
}
