import { sql, type Kysely } from 'kysely'

/** Keys with which people sign what policies call grave, and what they were asked to sign and have not yet. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table account_passkey (
    workspace_id uuid not null, id uuid not null, user_id uuid not null, name text not null,
    credential_id text not null, public_key bytea not null, algorithm integer not null, counter bigint not null,
    transports json not null, rp_id text not null, backed_up boolean not null,
    created_at timestamptz not null default now(), last_used_at timestamptz,
    primary key (workspace_id, id), unique (workspace_id, credential_id),
    foreign key (workspace_id, user_id) references account_user on delete cascade)`.execute(db)
  await sql`create index account_passkey_of_person on account_passkey (workspace_id, user_id, id)`.execute(db)
  await sql`create table account_challenge (
    workspace_id uuid not null, challenge text not null, user_id uuid not null,
    statement json not null, expires_at timestamptz not null, primary key (workspace_id, challenge),
    foreign key (workspace_id, user_id) references account_user on delete cascade)`.execute(db)
  await sql`create index account_challenge_end on account_challenge (workspace_id, expires_at)`.execute(db)
}
