import { sql, type Kysely } from 'kysely'

/** Messages that wait until the run of their session has ended. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table agent_queued_message (
    workspace_id uuid not null, id uuid not null, session_id uuid not null, user_id uuid not null,
    principal json not null, message text not null, context json, attachment_ids json not null,
    state text not null default 'waiting',
    request_id text not null, remote_address text not null,
    next_attempt_at timestamptz not null default now(), created_at timestamptz not null default now(),
    primary key (workspace_id, id),
    foreign key (workspace_id, session_id) references agent_session on delete cascade)`.execute(db)
  await sql`create index agent_queued_message_session
    on agent_queued_message (workspace_id, session_id, created_at, id)`.execute(db)
  await sql`create index agent_queued_message_due on agent_queued_message (next_attempt_at)`.execute(db)
}
