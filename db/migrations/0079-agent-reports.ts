import { sql, type Kysely } from 'kysely'

/** With what a run ends that nobody reads along: each sentence, and whether the results that it cites carry it. */
const report = sql`create table agent_report (
  workspace_id uuid not null, id uuid not null, user_id uuid not null, firing_id uuid not null,
  session_id uuid not null, run_id uuid not null, title text not null, sentences json not null,
  unsupported integer not null, created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, session_id) references agent_session on delete cascade)`

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await report.execute(db)
  await sql`create unique index agent_report_run on agent_report (workspace_id, run_id)`.execute(db)
  await sql`create index agent_report_page on agent_report (workspace_id, user_id, id desc)`.execute(db)
  await sql`create index agent_report_session on agent_report (workspace_id, session_id)`.execute(db)
}
