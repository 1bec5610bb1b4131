import { sql, type Kysely } from 'kysely'

/**
 * What people said to a question, each for the plan whose digest they were shown. A person has one vote in it, and so
 * has the person for whom a person votes.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table agent_vote (
    workspace_id uuid not null, confirmation_id uuid not null, user_id uuid not null, for_user_id uuid not null,
    decision text not null check (decision in ('approve', 'reject')), reason text, input_digest text not null,
    via text not null, via_id text, created_at timestamptz not null default statement_timestamp(),
    primary key (workspace_id, confirmation_id, user_id),
    unique (workspace_id, confirmation_id, for_user_id),
    foreign key (workspace_id, confirmation_id) references agent_confirmation on delete cascade)`.execute(db)
}
