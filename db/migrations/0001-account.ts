import { sql, type Kysely } from 'kysely'

const signIn = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table account_session (
      workspace_id uuid not null, id uuid not null, user_id uuid not null, hash bytea not null unique, user_agent text,
      idle_expires_at timestamptz not null, expires_at timestamptz not null, ended_at timestamptz,
      last_used_at timestamptz not null default now(), created_at timestamptz not null default now(),
      primary key (workspace_id, id), foreign key (workspace_id, user_id) references account_user)`.execute(db)
  await sql`create index account_session_user on account_session (workspace_id, user_id, id)`.execute(db)
  await sql`
    create table account_link (
      workspace_id uuid not null, id uuid not null, user_id uuid not null,
      purpose text not null check (purpose in ('bootstrap', 'invitation')), hash bytea not null unique,
      expires_at timestamptz not null, used_at timestamptz, created_at timestamptz not null default now(),
      primary key (workspace_id, id), foreign key (workspace_id, user_id) references account_user)`.execute(db)
  await sql`create index account_link_unused on account_link (workspace_id, user_id) where used_at is null`.execute(db)
}

const projects = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table account_project (
      workspace_id uuid not null references workspace, id uuid not null, name text not null, description text,
      revision integer not null default 1, created_by uuid not null,
      created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
      archived_at timestamptz, primary key (workspace_id, id))`.execute(db)
  await sql`create unique index account_project_name on account_project (workspace_id, lower(name))
    where archived_at is null`.execute(db)
}

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table workspace (
      id uuid primary key, name text not null, revision integer not null default 1,
      created_at timestamptz not null default now(), updated_at timestamptz not null default now())`.execute(db)
  await sql`
    create table account_user (
      workspace_id uuid not null references workspace, id uuid not null,
      name text not null, email text, role text not null check (role in ('viewer', 'member', 'admin')),
      status text not null default 'active' check (status in ('active', 'disabled')),
      revision integer not null default 1, first_sign_in_at timestamptz,
      created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
      primary key (workspace_id, id))`.execute(db)
  await sql`create unique index account_user_email on account_user (workspace_id, lower(email))`.execute(db)
  await sql`
    create table account_token (
      workspace_id uuid not null, id uuid not null, user_id uuid not null, name text not null,
      hash bytea not null unique, prefix text not null, scopes json not null, assistant boolean not null default false,
      expires_at timestamptz not null, revoked_at timestamptz, last_used_at timestamptz,
      created_at timestamptz not null default now(),
      primary key (workspace_id, id), foreign key (workspace_id, user_id) references account_user)`.execute(db)
  await sql`create index account_token_user on account_token (workspace_id, user_id, id)`.execute(db)
  await signIn(db)
  await projects(db)
}
