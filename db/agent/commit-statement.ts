import { statement } from '../statement.js'
import type { RunStatus } from './tables.js'

/**
 * The workspace's own row. By it a distributed database sees that a part of a statement which reads only what other
 * parts have found belongs to the server of this workspace; else it brings that to each server, also to a dead one.
 * @param workspace an expression of type uuid, with no other value than a parameter's
 */
export const homeOf = (workspace: string): string =>
  `(select id as workspace_id from workspace where id = ${workspace}) as home`

/** Lists are texts in JSON; each of their rows names its run. */
interface Params {
  workspace: string
  anywhere: false
  /** The kind of a row of `steps`: see `given`. */
  step: 'step'
  steps: string
  running: 'running'
  pending: 'pending'
  messages: string
  replaced: string
  calls: string
  endings: string
  confirmations: string
  usage: string
  events: string
  recorded: string
}

/** What commits may change beside the runs themselves. */
export const parts = [
  'sessions', 'messages', 'replaced', 'calls', 'endings', 'confirmations', 'used', 'closed', 'events', 'recorded'
] as const

export type Part = typeof parts[number]

const ends: readonly RunStatus[] = ['completed', 'failed', 'cancelled', 'expired']
const ended = `(${ends.map((status) => `'${status}'`).join(', ')})`

export const isEnd = (status: RunStatus): boolean => ends.includes(status)

type Text = (param: (name: keyof Params) => string) => string

/**
 * Plans are kept, and the first are made while the tables are empty and all indexes look alike. So the statements give
 * the planner no choice. Rows are found by keys that all come from the steps: with the workspace as a parameter of its
 * own, it would read a whole workspace and join the steps to it. It must take the steps for one: of the rows of a
 * function that equal a parameter it expects one in two hundred, so each says that it is a step. And a status that a
 * partial index holds is a parameter.
 */
const given: Text = (param) => `given as materialized (
  select ${param('workspace')}::uuid as workspace, now() as at, g.*
  from json_to_recordset(${param('steps')}::json) as g(kind text, run uuid, session uuid, person uuid, epoch bigint,
    status text, reason text, error json, position bigint, steps integer, next bigint, spent bigint,
    since bigint, tokens bigint, characters bigint, changes_session boolean)
  where kind = ${param('step')})`

/**
 * Names the workspace for a database that is divided by it, which knows when it plans that the second is false.
 * One that keeps plans for any parameter cannot look by it, and finds the rows by the keys that come from the steps.
 */
const named = (param: Parameters<Text>[0], table: string): string =>
  `(${table}.workspace_id = ${param('workspace')}::uuid or ${param('anywhere')}::boolean)`

const homed: Text = (param) => homeOf(`${param('workspace')}::uuid`)

/** Without the lease nothing of a run's step is written: all that follows is joined to these rows. */
const fence: Text = (param) => `fence as (
  update agent_run set error = given.error,
    status = case when given.status = 'awaiting_confirmation' and cancel_requested_at is not null then 'ready'
      else given.status end,
    reason = coalesce(given.reason, case when given.status not in ${ended} then agent_run.reason end),
    position = given.position, step = step + given.steps,
    attempts = case when given.status = 'running' then attempts else 0 end,
    lease_owner = case when given.status = 'running' then lease_owner end,
    lease_until = case when given.status = 'running' then lease_until end,
    finished_at = case when given.status in ${ended} then given.at end
  from given where ${named(param, 'agent_run')} and workspace_id = given.workspace and agent_run.id = given.run
    and lease_epoch = given.epoch and agent_run.status = ${param('running')}
  returning given.*, agent_run.principal)`

/** The last activity is in an index: it is set when a run begins and when it ends or waits, not at each step. */
const sessions: Text = (param) => `sessions as (
  update agent_session set next_message = greatest(next_message, fence.next),
    spent_usd_micros = spent_usd_micros + fence.spent, sent_since = greatest(sent_since, fence.since),
    context_tokens = coalesce(fence.tokens, context_tokens),
    context_characters = coalesce(fence.characters, context_characters),
    last_activity_at = case when fence.status = 'running' then last_activity_at else fence.at end
  from fence
  where ${named(param, 'agent_session')} and workspace_id = fence.workspace
    and agent_session.id = fence.session and fence.changes_session)`

const messages: Text = (param) => `messages as (
  insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text, stop_reason,
    model, compaction)
  select home.workspace_id, fence.session, m.id, m.run, m.seq, m.role, m.content, m.search_text,
    m.stop_reason, m.model, m.compaction
  from fence join json_to_recordset(${param('messages')}::json) as m(run uuid, id uuid, seq bigint, role text,
    content json, search_text text, stop_reason text, model text, compaction json)
    on m.run = fence.run, ${homed(param)})`

/** Joined apart, for all keys of a message to come from there. */
const replaced: Text = (param) => `replaced as (
  update agent_message set sent = r.sent
  from (select fence.workspace, fence.session, r.* from fence join json_to_recordset(${param('replaced')}::json)
    as r(run uuid, seq bigint, sent json) on r.run = fence.run offset 0) as r
  where ${named(param, 'agent_message')} and agent_message.workspace_id = r.workspace
    and agent_message.session_id = r.session and agent_message.seq = r.seq)`

const calls: Text = (param) => `calls as (
  insert into agent_tool_call (workspace_id, id, run_id, session_id, message_id, step, ordinal, tool_use_id, name,
    tool_version, effect, input, effective_input, input_digest, status, decided_by, idempotency_key, claim_epoch,
    dispatched_at, http_status, result, result_model, is_error, finished_at)
  select home.workspace_id, c.id, c.run, fence.session, c.message_id, c.step, c.ordinal,
    c.tool_use_id, c.name, c.tool_version, c.effect, c.input, c.effective_input, c.input_digest, c.status,
    c.decided_by, c.idempotency_key, case when c.status = 'dispatching' then fence.epoch end,
    case when c.status = 'dispatching' then fence.at end, c.http_status, c.result, c.result_model, c.is_error,
    case when c.result_model is not null then fence.at end
  from fence join json_to_recordset(${param('calls')}::json) as c(run uuid, id uuid, message_id uuid, step integer,
    ordinal integer, tool_use_id text, name text, tool_version text, effect text, input json, effective_input json,
    input_digest text, status text, decided_by text, idempotency_key uuid, http_status integer, result json,
    result_model text, is_error boolean) on c.run = fence.run, ${homed(param)})`

/** Joined apart, for all keys of a call to come from there. */
const endings: Text = (param) => `endings as (
  update agent_tool_call set status = e.status, http_status = e.http_status, result = e.result,
    result_model = e.result_model, truncated = e.truncated, is_error = e.is_error, finished_at = now()
  from (select fence.workspace, fence.session, e.* from fence join json_to_recordset(${param('endings')}::json)
    as e(run uuid, id uuid, status text, http_status integer, result json, result_model text, truncated boolean,
      is_error boolean) on e.run = fence.run offset 0) as e
  where ${named(param, 'agent_tool_call')} and agent_tool_call.workspace_id = e.workspace
    and agent_tool_call.id = e.id
    and agent_tool_call.run_id = e.run and agent_tool_call.session_id = e.session)`

const confirmations: Text = (param) => `confirmations as (
  insert into agent_confirmation (workspace_id, id, kind, user_id, session_id, run_id, tool_call_id, name, arguments,
    target, facts, summary, preview, risk, risk_reasons, editable, input_digest, replaces, thread_id,
    requirement, expires_at)
  select home.workspace_id, c.id, c.kind, fence.person, fence.session, fence.run,
    c.tool_call_id, c.name, c.arguments, c.target, c.facts, c.summary, c.preview, c.risk, c.risk_reasons,
    c.editable, c.input_digest, c.replaces, c.thread_id, c.requirement, c.expires_at
  from fence join json_to_recordset(${param('confirmations')}::json) as c(run uuid, id uuid, kind text,
    tool_call_id uuid, name text, arguments json, target json, facts json, summary text, preview json, risk text,
    risk_reasons json, editable json, input_digest text, replaces uuid, thread_id uuid, requirement json,
    expires_at timestamptz) on c.run = fence.run, ${homed(param)})`

const used: Text = (param) => `used as (
  insert into agent_usage (workspace_id, id, user_id, session_id, run_id, purpose, model, input_tokens,
    cache_write_tokens, cache_read_tokens, output_tokens, cost_usd_micros, provider_request_id)
  select home.workspace_id, u.id, fence.person, fence.session, fence.run, 'chat',
    u.model, u.input_tokens, u.cache_write_tokens, u.cache_read_tokens, u.output_tokens, u.cost_usd_micros,
    u.provider_request_id
  from fence join json_to_recordset(${param('usage')}::json) as u(run uuid, id uuid, model text,
    input_tokens bigint, cache_write_tokens bigint, cache_read_tokens bigint, output_tokens bigint,
    cost_usd_micros bigint, provider_request_id text) on u.run = fence.run, ${homed(param)})`

const closed: Text = (param) => `closed as (
  update agent_confirmation set status = 'closed',
    close_reason = coalesce(fence.reason, 'run_' || fence.status)
  from fence where ${named(param, 'agent_confirmation')} and agent_confirmation.workspace_id = fence.workspace
    and agent_confirmation.run_id = fence.run and agent_confirmation.status = ${param('pending')}
    and fence.status in ${ended})`

const events: Text = (param) => `events as (
  insert into stream_event (workspace_id, stream_id, position, event, data)
  select home.workspace_id, e.run, e.position, e.event, e.data
  from fence join json_to_recordset(${param('events')}::json) as e(run uuid, position bigint, event text, data json)
    on e.run = fence.run, ${homed(param)}
  on conflict do nothing)`

/** What was asked, and what came of it: with the step that does it, so that neither is without the other. */
const recorded: Text = (param) => `recorded as (
  insert into audit (workspace_id, id, kind, write_id, user_id, via, via_id, operation, target, outcome, status,
    request_id, body)
  select home.workspace_id, a.id, a.kind, a.write_id, fence.person, 'assistant', a.run, a.operation, a.target,
    a.outcome, a.status, a.run::text, case when a.kind = 'asked'
      then (a.body::jsonb || jsonb_build_object('asked_by', fence.principal::jsonb))::json else a.body end
  from fence join json_to_recordset(${param('recorded')}::json) as a(run uuid, id uuid, kind text, write_id uuid,
    operation text, target text, outcome text, status integer, body json) on a.run = fence.run, ${homed(param)})`

const texts: Record<Part, Text> = {
  sessions, messages, replaced, calls, endings, confirmations, used, closed, events, recorded
}

const make = (chosen: readonly Part[]) => statement<Params, { run: string }>((param) => {
  const all = [given, fence, ...chosen.map((part) => texts[part])]
  return `with ${all.map((text) => text(param)).join(',\n')}\nselect run from fence`
})

const made = new Map<string, ReturnType<typeof make>>()

/** @returns the statement that changes runs of one workspace and these parts; its rows are the runs that were held */
export const commitOf = (chosen: readonly Part[]): ReturnType<typeof make> => {
  const key = chosen.join()
  const known = made.get(key) ?? make(chosen)
  made.set(key, known)
  return known
}
