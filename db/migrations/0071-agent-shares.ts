import { sql, type Kysely } from 'kysely'

/** Sessions that their owners show to everyone in the workspace. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table agent_share (
    workspace_id uuid not null, session_id uuid not null, created_at timestamptz not null default now(),
    primary key (workspace_id, session_id),
    foreign key (workspace_id, session_id) references agent_session on delete cascade)`.execute(db)
}
