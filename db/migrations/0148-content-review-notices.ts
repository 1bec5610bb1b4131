import { sql, type Kysely } from 'kysely'

/** What reviewers are to hear: that they were chosen, that a text waits for them, that another person approved it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table content_review_notice (
    workspace_id uuid not null, id uuid not null, content_id uuid not null, version integer not null,
    user_id uuid not null, kind text not null, caused_by uuid not null, created_at timestamptz not null default now(),
    primary key (workspace_id, id),
    foreign key (workspace_id, content_id) references content on delete cascade)`.execute(db)
  await sql`create index content_review_notice_new on content_review_notice (workspace_id, created_at)`.execute(db)
}
