import { statement } from '../statement.js'
import type { CallStatus, RunStatus } from './tables.js'

interface Params {
  workspace: string
  run: string
  running: 'running'
  session: string
  user: string
  epoch: number
  pending: 'pending'
  status: RunStatus
  reason: string | null
  error: string | null
  position: number
  steps: number
  next: number
  spent: number
  messages: string
  calls: string
  call: string | null
  call_status: CallStatus | null
  http_status: number | null
  result: string | null
  result_model: string | null
  truncated: boolean
  is_error: boolean
  endings: string
  confirmations: string
  usage: string
  positions: number[]
  events: string[]
  datas: string[]
}

/** What a commit may change beside the run itself. */
export type Part =
  'session' | 'messages' | 'calls' | 'ending' | 'endings' | 'confirmations' | 'used' | 'closed' | 'events'

const ends: readonly RunStatus[] = ['completed', 'failed', 'cancelled', 'expired']
const ended = `(${ends.map((status) => `'${status}'`).join(', ')})`

export const isEnd = (status: RunStatus): boolean => ends.includes(status)

type Text = (param: (name: keyof Params) => string) => string

/**
 * Plans are kept, and the first are made while the tables are empty and all indexes look alike. So the statements give
 * the planner no choice: rows are named by the parameters of the one index that fits, and a status that a partial index
 * holds is a parameter too. Otherwise a step read all live runs, calls or questions of the workspace.
 */
const fence: Text = (param) => {
  const [status, reason] = [`${param('status')}::text`, `${param('reason')}::text`]
  return `fence as (
  update agent_run set error = ${param('error')}::json,
    status = case when ${status} = 'awaiting_confirmation' and cancel_requested_at is not null then 'ready'
      else ${status} end,
    reason = coalesce(${reason}, case when ${status} not in ${ended} then reason end),
    position = ${param('position')}, step = step + ${param('steps')}::integer,
    attempts = case when ${status} = 'running' then attempts else 0 end,
    lease_owner = case when ${status} = 'running' then lease_owner end,
    lease_until = case when ${status} = 'running' then lease_until end,
    finished_at = case when ${status} in ${ended} then now() end
  where workspace_id = ${param('workspace')}::uuid and id = ${param('run')}::uuid
    and lease_epoch = ${param('epoch')}::bigint and status = ${param('running')}
  returning id)`
}

/** The last activity is in an index: it is set when a run begins and when it ends or waits, not at each step. */
const session: Text = (param) => `session as (
  update agent_session set next_message = greatest(next_message, ${param('next')}::bigint),
    spent_usd_micros = spent_usd_micros + ${param('spent')}::bigint,
    last_activity_at = case when ${param('status')}::text = 'running' then last_activity_at else now() end
  from fence where workspace_id = ${param('workspace')}::uuid and agent_session.id = ${param('session')}::uuid)`

const messages: Text = (param) => `messages as (
  insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text, stop_reason)
  select ${param('workspace')}::uuid, ${param('session')}::uuid, m.id, fence.id, m.seq, m.role, m.content,
    m.search_text, m.stop_reason
  from fence, json_to_recordset(${param('messages')}::json)
    as m(id uuid, seq bigint, role text, content json, search_text text, stop_reason text))`

const calls: Text = (param) => `calls as (
  insert into agent_tool_call (workspace_id, id, run_id, session_id, message_id, step, ordinal, tool_use_id, name,
    tool_version, effect, input, effective_input, input_digest, status, decided_by, idempotency_key, claim_epoch,
    dispatched_at, http_status, result, result_model, is_error, finished_at)
  select ${param('workspace')}::uuid, c.id, fence.id, ${param('session')}::uuid, c.message_id, c.step, c.ordinal,
    c.tool_use_id, c.name, c.tool_version, c.effect, c.input, c.effective_input, c.input_digest, c.status,
    c.decided_by, c.idempotency_key, case when c.status = 'dispatching' then ${param('epoch')}::bigint end,
    case when c.status = 'dispatching' then now() end, c.http_status, c.result, c.result_model, c.is_error,
    case when c.result_model is not null then now() end
  from fence, json_to_recordset(${param('calls')}::json) as c(id uuid, message_id uuid, step integer,
    ordinal integer, tool_use_id text, name text, tool_version text, effect text, input json, effective_input json,
    input_digest text, status text, decided_by text, idempotency_key uuid, http_status integer, result json,
    result_model text, is_error boolean))`

/**
 * One call, as is nearly always: named by parameters, which those of `endings` cannot be, and by one for each index
 * that the planner may take.
 */
const ending: Text = (param) => `ending as (
  update agent_tool_call set status = ${param('call_status')}, http_status = ${param('http_status')}::integer,
    result = ${param('result')}::json, result_model = ${param('result_model')}, truncated = ${param('truncated')},
    is_error = ${param('is_error')}, finished_at = now()
  from fence where agent_tool_call.workspace_id = ${param('workspace')}::uuid
    and agent_tool_call.id = ${param('call')}::uuid and agent_tool_call.run_id = ${param('run')}::uuid
    and agent_tool_call.session_id = ${param('session')}::uuid)`

const endings: Text = (param) => `endings as (
  update agent_tool_call set status = e.status, http_status = e.http_status, result = e.result,
    result_model = e.result_model, truncated = e.truncated, is_error = e.is_error, finished_at = now()
  from fence, json_to_recordset(${param('endings')}::json) as e(id uuid, status text, http_status integer,
    result json, result_model text, truncated boolean, is_error boolean)
  where agent_tool_call.workspace_id = ${param('workspace')}::uuid and agent_tool_call.run_id = ${param('run')}::uuid
    and agent_tool_call.id = e.id)`

const confirmations: Text = (param) => `confirmations as (
  insert into agent_confirmation (workspace_id, id, kind, user_id, session_id, run_id, tool_call_id, name, arguments,
    target, facts, summary, preview, risk, editable, input_digest, replaces, expires_at)
  select ${param('workspace')}::uuid, c.id, c.kind, ${param('user')}::uuid, ${param('session')}::uuid, fence.id,
    c.tool_call_id, c.name, c.arguments, c.target, c.facts, c.summary, c.preview, c.risk, c.editable, c.input_digest,
    c.replaces, c.expires_at
  from fence, json_to_recordset(${param('confirmations')}::json) as c(id uuid, kind text, tool_call_id uuid,
    name text, arguments json, target json, facts json, summary text, preview json, risk text, editable json,
    input_digest text, replaces uuid, expires_at timestamptz))`

const used: Text = (param) => `used as (
  insert into agent_usage (workspace_id, id, user_id, session_id, run_id, purpose, model, input_tokens,
    cache_write_tokens, cache_read_tokens, output_tokens, cost_usd_micros, provider_request_id)
  select ${param('workspace')}::uuid, u.id, ${param('user')}::uuid, ${param('session')}::uuid, fence.id, 'chat',
    u.model, u.input_tokens, u.cache_write_tokens, u.cache_read_tokens, u.output_tokens, u.cost_usd_micros,
    u.provider_request_id
  from fence, json_to_recordset(${param('usage')}::json) as u(id uuid, model text,
    input_tokens bigint, cache_write_tokens bigint, cache_read_tokens bigint, output_tokens bigint,
    cost_usd_micros bigint, provider_request_id text))`

const closed: Text = (param) => `closed as (
  update agent_confirmation set status = 'closed',
    close_reason = coalesce(${param('reason')}::text, 'run_' || ${param('status')}::text)
  from fence where agent_confirmation.workspace_id = ${param('workspace')}::uuid
    and agent_confirmation.run_id = ${param('run')}::uuid and agent_confirmation.status = ${param('pending')})`

const events: Text = (param) => `events as (
  insert into stream_event (workspace_id, stream_id, position, event, data)
  select ${param('workspace')}::uuid, fence.id, e.position, e.event, e.data from fence, unnest(
    ${param('positions')}::bigint[], ${param('events')}::text[], ${param('datas')}::json[]) as e(position, event, data)
  on conflict do nothing)`

const texts: Record<Part, Text> = { session, messages, calls, ending, endings, confirmations, used, closed, events }

const make = (parts: readonly Part[]) => statement<Params, { held: number }>((param) => {
  const all = [fence, ...parts.map((part) => texts[part])]
  return `with ${all.map((text) => text(param)).join(',\n')}\nselect count(*)::integer as held from fence`
})

const made = new Map<string, ReturnType<typeof make>>()

/** @returns the statement that changes the run and these parts, fenced: nothing of it without the lease */
export const commitOf = (parts: readonly Part[]): ReturnType<typeof make> => {
  const key = parts.join()
  const known = made.get(key) ?? make(parts)
  made.set(key, known)
  return known
}
