import { sql, type Kysely } from 'kysely'

/** What people think of the assistant's answers. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table agent_feedback (
    workspace_id uuid not null, id uuid not null, session_id uuid not null, message_id uuid not null,
    rating text not null check (rating in ('good', 'bad')), comment text,
    created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
    primary key (workspace_id, id),
    foreign key (workspace_id, session_id) references agent_session on delete cascade)`.execute(db)
  await sql`create unique index agent_feedback_message on agent_feedback (workspace_id, session_id, message_id)`
    .execute(db)
}
