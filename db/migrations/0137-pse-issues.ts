import { sql, type Kysely } from 'kysely'

/**
 * The issue of a task in a repository. Without a number its creation has begun, and its answer is not known. The mark
 * is random: who knows the session cannot make an issue that passes for ours.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table pse_issue (
    workspace_id uuid not null, session_id uuid not null, repo_id text not null, task_key text not null,
    mark uuid not null, number integer, claimed_at timestamptz not null default now(),
    primary key (workspace_id, session_id, repo_id, task_key),
    foreign key (workspace_id, session_id) references pse_session on delete cascade)`.execute(db)
}
