import { sql, type Kysely } from 'kysely'

const provider = sql`create table account_identity_provider (
  workspace_id uuid not null, id uuid not null, name text not null, issuer text not null, client_id text not null,
  secret bytea, scopes json not null, domains json not null, groups_claim text, rules json not null,
  just_in_time boolean not null, joins_by_email boolean not null, role text not null,
  check_minutes integer not null, grace_minutes integer not null, enabled boolean not null,
  revision integer not null default 1, created_by uuid not null, created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(), primary key (workspace_id, id))`

const identity = sql`create table account_identity (
  workspace_id uuid not null, id uuid not null, provider_id uuid not null, user_id uuid not null,
  issuer text not null, subject text not null, email text,
  joined_by text not null check (joined_by in ('rule', 'email', 'link')), rule_role text, own_role text,
  groups json not null, last_sign_in_at timestamptz not null default now(),
  created_at timestamptz not null default now(), primary key (workspace_id, id),
  unique (workspace_id, issuer, subject),
  foreign key (workspace_id, provider_id) references account_identity_provider on delete cascade)`

const attempt = sql`create table account_identity_attempt (
  workspace_id uuid not null, state_hash bytea not null, binding_hash bytea not null, provider_id uuid not null,
  user_id uuid, session_id uuid, kept bytea not null, return_to text not null, expires_at timestamptz not null,
  created_at timestamptz not null default now(), primary key (workspace_id, state_hash),
  foreign key (workspace_id, provider_id) references account_identity_provider on delete cascade)`

const session = sql`create table account_identity_session (
  workspace_id uuid not null, id uuid not null, identity_id uuid not null, provider_id uuid not null, sid text,
  tokens bytea, answered_at timestamptz not null default now(), created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, identity_id) references account_identity on delete cascade)`

const logout = sql`create table account_logout_token (
  workspace_id uuid not null, provider_id uuid not null, jti text not null, expires_at timestamptz not null,
  primary key (workspace_id, provider_id, jti),
  foreign key (workspace_id, provider_id) references account_identity_provider on delete cascade)`

/** Sign-in with OpenID providers: whom a workspace believes, who a person is there, and which sessions hang on it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const table of [provider, identity, attempt, session, logout]) await table.execute(db)
  await sql`create unique index account_identity_provider_issuer
    on account_identity_provider (workspace_id, rtrim(issuer, '/'))`.execute(db)
  await sql`create index account_identity_of_person on account_identity (workspace_id, user_id)`.execute(db)
  await sql`create index account_identity_of_provider on account_identity (workspace_id, provider_id)`.execute(db)
  await sql`create index account_identity_attempt_end
    on account_identity_attempt (workspace_id, expires_at)`.execute(db)
  await sql`create index account_identity_session_of
    on account_identity_session (workspace_id, identity_id)`.execute(db)
  await sql`create index account_logout_token_end on account_logout_token (workspace_id, expires_at)`.execute(db)
}
