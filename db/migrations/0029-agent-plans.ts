import { sql, type Kysely } from 'kysely'

/**
 * A question stands on a plan: target and facts. When the state changes, another question replaces it, so a call may
 * have several. `draft` is the plan of edited arguments as it was shown last, `proposed` what was asked before an edit
 * was approved. `announced`: whether the run's stream has it.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table agent_confirmation add column target json, add column facts json, add column draft json,
    add column proposed json, add column replaces uuid, add column announced boolean not null default true`.execute(db)
  await sql`drop index agent_confirmation_call`.execute(db)
  await sql`create index agent_confirmation_call on agent_confirmation (workspace_id, tool_call_id)
    where tool_call_id is not null`.execute(db)
}
