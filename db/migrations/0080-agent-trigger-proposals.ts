import { sql, type Kysely } from 'kysely'

/** Writes that such a run proposed: each waits in a run of its own, and lapses when the alert is resolved. */
const proposal = sql`create table agent_trigger_proposal (
  workspace_id uuid not null, run_id uuid not null, firing_id uuid not null, tool_call_id uuid not null,
  created_at timestamptz not null default now(), primary key (workspace_id, run_id),
  foreign key (workspace_id, firing_id) references agent_trigger_firing on delete cascade)`

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await proposal.execute(db)
  await sql`create index agent_trigger_proposal_firing on agent_trigger_proposal (workspace_id, firing_id)`.execute(db)
}
