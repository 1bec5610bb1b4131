import { sql, type Kysely } from 'kysely'

/** What a workspace allows, forbids and asks: the draft, and each version that was enabled. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table account_policy_draft (
    workspace_id uuid primary key references workspace, text text not null, examples json not null,
    groups json not null, digest text not null, revision integer not null default 1,
    replayed_digest text, replayed_at timestamptz, replay json,
    updated_by uuid not null, updated_at timestamptz not null default now())`.execute(db)
  await sql`create table account_policy_version (
    workspace_id uuid not null references workspace, version integer not null, text text not null,
    examples json not null, groups json not null, digest text not null, replay json not null,
    enabled_by uuid not null, enabled_at timestamptz not null default now(),
    primary key (workspace_id, version))`.execute(db)
}
