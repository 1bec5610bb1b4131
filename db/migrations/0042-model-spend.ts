import { sql, type Kysely } from 'kysely'

/** Every model call is charged to a person: those of generations too, and those whose charge had to be estimated. */
const usage = sql`alter table agent_usage add column generation_id uuid,
  add column estimated boolean not null default false`

/** What calls under way may cost at most, while a person's budget of the day is nearly used up. */
const reservation = sql`
  create table model_reservation (
    workspace_id uuid not null, user_id uuid not null, id uuid not null, micros bigint not null,
    expires_at timestamptz not null, primary key (workspace_id, user_id, id))`

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [usage, reservation]) await statement.execute(db)
}
