import { sql, type Kysely } from 'kysely'

/** For a time, a tool may run again on the target for which a person has approved it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table agent_grant (
    workspace_id uuid not null, id uuid not null, user_id uuid not null, session_id uuid not null,
    confirmation_id uuid not null, tool text not null, target json not null, summary text not null,
    since timestamptz not null, created_at timestamptz not null default now(), expires_at timestamptz not null,
    ended_at timestamptz, primary key (workspace_id, id),
    foreign key (workspace_id, session_id) references agent_session on delete cascade)`.execute(db)
  await sql`create index agent_grant_session on agent_grant (workspace_id, session_id)`.execute(db)
  await sql`create index agent_grant_person on agent_grant (workspace_id, user_id, id)`.execute(db)
}
