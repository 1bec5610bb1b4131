import { sql, type Kysely } from 'kysely'

const trigger = sql`create table agent_trigger (
  workspace_id uuid not null, id uuid not null, user_id uuid not null, principal json not null,
  kind text not null check (kind in ('schedule', 'webhook', 'build_failed', 'cost_anomaly')),
  name text not null, question text not null, cron text, time_zone text, source text, topic_arn text, app_id uuid,
  min_impact_usd double precision, secret bytea, enabled boolean not null default true, off_reason text,
  budget_usd_micros bigint not null, runs_a_day integer not null, next_at timestamptz, last_run_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (workspace_id, id))`

const firing = sql`create table agent_trigger_firing (
  workspace_id uuid not null, id uuid not null, trigger_id uuid not null, title text not null, alert json,
  status text not null check (status in ('queued', 'started', 'skipped')), reason text,
  session_id uuid, run_id uuid, resolved_at timestamptz, noted_at timestamptz,
  attempts integer not null default 0, next_attempt_at timestamptz not null default now(),
  started_at timestamptz, created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, trigger_id) references agent_trigger on delete cascade)`

/** What one firing stands for: an alert that comes again, or to two instances, starts nothing a second time. */
const alert = sql`create table agent_trigger_alert (
  workspace_id uuid not null, trigger_id uuid not null, identity text not null, firing_id uuid not null,
  resolved_at timestamptz, primary key (workspace_id, trigger_id, identity),
  foreign key (workspace_id, firing_id) references agent_trigger_firing on delete cascade)`

/** Schedules and triggers of the assistant, what set them off, and the runs that began. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await trigger.execute(db)
  await firing.execute(db)
  await alert.execute(db)
  await sql`create index agent_trigger_page on agent_trigger (workspace_id, user_id, id desc)`.execute(db)
  await sql`create index agent_trigger_due on agent_trigger (next_at) where enabled and next_at is not null`.execute(db)
  await sql`create index agent_trigger_kind on agent_trigger (workspace_id, kind) where enabled`.execute(db)
  await sql`create index agent_trigger_firing_page on agent_trigger_firing (workspace_id, trigger_id, id desc)`
    .execute(db)
  await sql`create index agent_trigger_firing_due on agent_trigger_firing (next_attempt_at) where status = 'queued'`
    .execute(db)
  await sql`create index agent_trigger_alert_firing on agent_trigger_alert (workspace_id, firing_id)`.execute(db)
}
