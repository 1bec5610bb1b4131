import { sql, type Kysely } from 'kysely'

const session = sql`
  create table agent_session (
    workspace_id uuid not null, id uuid not null, user_id uuid not null,
    title text, title_source text not null default 'none', model text not null, system_hash text not null,
    next_message bigint not null default 1,
    budget_usd_micros bigint not null, spent_usd_micros bigint not null default 0,
    created_at timestamptz not null default now(), last_activity_at timestamptz not null default now(),
    deleted_at timestamptz, primary key (workspace_id, id))`

/** Frozen system prompts: sessions name one by its hash, so a new version changes no conversation's prefix. */
const prompt = sql`
  create table agent_prompt (
    workspace_id uuid not null, hash text not null, text text not null, created_at timestamptz not null default now(),
    primary key (workspace_id, hash))`

const message = sql`
  create table agent_message (
    workspace_id uuid not null, session_id uuid not null, id uuid not null, run_id uuid not null,
    seq bigint not null, role text not null check (role in ('user', 'assistant')),
    content json not null, search_text text not null default '', stop_reason text,
    created_at timestamptz not null default now(), primary key (workspace_id, session_id, seq))`

const run = sql`
  create table agent_run (
    workspace_id uuid not null, id uuid not null, session_id uuid not null, user_id uuid not null,
    principal json not null, status text not null, reason text,
    step integer not null default 0, attempts integer not null default 0, position bigint not null default 0,
    lease_owner uuid, lease_epoch bigint not null default 0, lease_until timestamptz,
    wake_at timestamptz not null default now(), active_ms bigint not null default 0,
    cancel_requested_at timestamptz, idempotency_key text, request_hash bytea,
    budget_usd_micros bigint not null, error json,
    created_at timestamptz not null default now(), finished_at timestamptz, primary key (workspace_id, id))`

const toolCall = sql`
  create table agent_tool_call (
    workspace_id uuid not null, id uuid not null, run_id uuid not null, session_id uuid not null,
    message_id uuid not null, step integer not null, ordinal integer not null, tool_use_id text not null,
    name text not null, tool_version text not null, effect text not null check (effect in ('read', 'write')),
    input json not null, effective_input json, input_digest text not null, status text not null, decided_by text,
    idempotency_key uuid not null, claim_epoch bigint, dispatched_at timestamptz, http_status integer,
    result json, result_model text, truncated boolean not null default false, is_error boolean not null default false,
    finished_at timestamptz, created_at timestamptz not null default now(), primary key (workspace_id, id))`

const confirmation = sql`
  create table agent_confirmation (
    workspace_id uuid not null, id uuid not null, kind text not null check (kind in ('tool', 'budget')),
    user_id uuid not null, session_id uuid not null, run_id uuid not null, tool_call_id uuid,
    status text not null default 'pending'
      check (status in ('pending', 'approved', 'rejected', 'expired', 'closed')),
    close_reason text, name text not null, arguments json not null, summary text not null, preview json not null,
    risk text not null, editable json not null, input_digest text not null, reason text,
    requested_at timestamptz not null default now(), expires_at timestamptz not null,
    decided_at timestamptz, decided_by uuid,
    check ((kind = 'tool') = (tool_call_id is not null)), primary key (workspace_id, id))`

const preference = sql`
  create table agent_preference (
    workspace_id uuid not null, id uuid not null, user_id uuid not null, key text not null, kind text not null,
    value json not null, applies_to json not null, status text not null, source text not null,
    version integer not null default 1, created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(), primary key (workspace_id, user_id, key))`

const usage = sql`
  create table agent_usage (
    workspace_id uuid not null, id uuid not null, user_id uuid not null, session_id uuid, run_id uuid,
    purpose text not null, model text not null, input_tokens bigint not null, cache_write_tokens bigint not null,
    cache_read_tokens bigint not null, output_tokens bigint not null, cost_usd_micros bigint not null,
    provider_request_id text, created_at timestamptz not null default now(), primary key (workspace_id, id))`

const indexes = [
  sql`create index agent_session_recent on agent_session (workspace_id, user_id, last_activity_at desc, id desc)
    where deleted_at is null`,
  // One live run a session: the index decides every race of two messages.
  sql`create unique index agent_run_live on agent_run (workspace_id, session_id)
    where status in ('ready', 'running', 'awaiting_confirmation')`,
  sql`create unique index agent_run_idempotency on agent_run (workspace_id, user_id, idempotency_key)
    where idempotency_key is not null`,
  sql`create index agent_run_cancel on agent_run (lease_owner)
    where status = 'running' and cancel_requested_at is not null`,
  sql`create index agent_run_ready on agent_run (wake_at) where status = 'ready'`,
  sql`create index agent_run_lease on agent_run (lease_until) where status = 'running'`,
  sql`create index agent_run_user_live on agent_run (workspace_id, user_id)
    where status in ('ready', 'running', 'awaiting_confirmation')`,
  sql`create index agent_run_finished on agent_run (finished_at) where finished_at is not null`,
  sql`create index agent_tool_call_run on agent_tool_call (workspace_id, run_id, step, ordinal)`,
  sql`create index agent_tool_call_session on agent_tool_call (workspace_id, session_id, input_digest)`,
  sql`create unique index agent_confirmation_call on agent_confirmation (workspace_id, tool_call_id)
    where tool_call_id is not null`,
  sql`create index agent_confirmation_user on agent_confirmation (workspace_id, user_id, id)`,
  sql`create index agent_confirmation_run on agent_confirmation (workspace_id, run_id)`,
  sql`create index agent_confirmation_expiry on agent_confirmation (expires_at) where status = 'pending'`,
  sql`create index agent_usage_day on agent_usage (workspace_id, user_id, created_at)`
]

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [session, prompt, message, run, toolCall, confirmation, preference, usage, ...indexes]) {
    await statement.execute(db)
  }
}
