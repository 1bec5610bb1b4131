import { sql, type Kysely } from 'kysely'

/** What an authorization keeps between its two halves: at most ten minutes, and used once. */
const authorization = sql`
  create table codehost_authorization (
    workspace_id uuid not null references workspace, state_hash bytea not null, binding_hash bytea not null,
    mode text not null check (mode in ('login', 'link')), user_id uuid, session_id uuid,
    verifier bytea, return_to text not null,
    expires_at timestamptz not null, created_at timestamptz not null default now(),
    primary key (workspace_id, state_hash))`

const statements = [
  authorization,
  sql`create index codehost_authorization_age on codehost_authorization (expires_at)`,
  sql`alter table codehost_identity
    add column rule_role text check (rule_role in ('viewer', 'member', 'admin'))`
]

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await statement.execute(db)
}
