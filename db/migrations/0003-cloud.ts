import { sql, type Kysely } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table cloud_account (
      workspace_id uuid not null references workspace, id uuid not null, name text not null,
      provider text not null default 'aws', aws_account_id text, partition text not null default 'aws',
      regions json not null, default_region text not null, auth json not null, secret bytea,
      status text not null default 'unverified', capabilities json not null default '{}', last_test json,
      credential_version integer not null default 1, sandbox boolean not null default false,
      revision integer not null default 1, created_by uuid,
      created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
      primary key (workspace_id, id))`.execute(db)
  await sql`create unique index cloud_account_name on cloud_account (workspace_id, lower(name))`.execute(db)
}
