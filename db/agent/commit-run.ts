import type { Db } from '../index.js'
import { statement } from '../statement.js'
import type { EventRow } from '../stream-events.js'
import type { CallStatus, RunStatus } from '../types.js'

export interface RunKey {
  workspace_id: string
  run_id: string
  session_id: string
  user_id: string
  epoch: number
}

export interface MessageRow {
  id: string
  seq: number
  role: 'user' | 'assistant'
  content: unknown[]
  search_text: string
  stop_reason: string | null
}

export interface CallRow {
  id: string
  message_id: string
  step: number
  ordinal: number
  tool_use_id: string
  name: string
  tool_version: string
  effect: 'read' | 'write'
  input: unknown
  effective_input: Record<string, unknown> | null
  input_digest: string
  status: CallStatus
  decided_by: string | null
  idempotency_key: string
  http_status: number | null
  result: unknown
  result_model: string | null
  is_error: boolean
}

export interface CallEnding {
  id: string
  status: CallStatus
  http_status: number | null
  result: unknown
  result_model: string
  truncated: boolean
  is_error: boolean
}

export interface ConfirmationRow {
  id: string
  kind: 'tool' | 'budget'
  tool_call_id: string | null
  name: string
  arguments: unknown
  summary: string
  preview: unknown[]
  risk: string
  editable: string[]
  input_digest: string
  expires_at: string
}

export interface UsageRow {
  id: string
  model: string
  input_tokens: number
  cache_write_tokens: number
  cache_read_tokens: number
  output_tokens: number
  cost_usd_micros: number
  provider_request_id: string | null
}

export interface RunCommit {
  status: RunStatus
  reason?: string
  error?: { code: string; message: string }
  position: number
  events: EventRow[]
  messages?: MessageRow[]
  calls?: CallRow[]
  endings?: CallEnding[]
  confirmations?: ConfirmationRow[]
  usage?: UsageRow
  /** Counts a model call as a step of the run. */
  steps?: number
}

interface Params {
  workspace: string
  run: string
  session: string
  user: string
  epoch: number
  status: RunStatus
  reason: string | null
  error: string | null
  position: number
  steps: number
  next: number
  spent: number
  messages: string
  calls: string
  endings: string
  confirmations: string
  usage: string
  positions: number[]
  events: string[]
  datas: string[]
}

const ended = "('completed', 'failed', 'cancelled', 'expired')"

// One text, as long as what a step changes.
// eslint-disable-next-line max-lines-per-function
const commit = statement<Params, { held: number }>((param) => {
  const [workspace, run, session, user] = [param('workspace'), param('run'), param('session'), param('user')]
  const [status, epoch, reason] = [
    `${param('status')}::text`,
    `${param('epoch')}::bigint`,
    `${param('reason')}::text`
  ]
  return `
with fence as (
  update agent_run set error = ${param('error')}::json,
    status = case when ${status} = 'awaiting_confirmation' and cancel_requested_at is not null then 'ready'
      else ${status} end,
    reason = coalesce(${reason}, case when ${status} not in ${ended} then reason end),
    position = ${param('position')}, step = step + ${param('steps')}::integer,
    attempts = case when ${status} = 'running' then attempts else 0 end,
    lease_owner = case when ${status} = 'running' then lease_owner end,
    lease_until = case when ${status} = 'running' then lease_until end,
    finished_at = case when ${status} in ${ended} then now() end
  where workspace_id = ${workspace}::uuid and id = ${run}::uuid and lease_epoch = ${epoch} and status = 'running'
  returning id),
touched as (
  update agent_session set next_message = greatest(next_message, ${param('next')}::bigint),
    spent_usd_micros = spent_usd_micros + ${param('spent')}::bigint, last_activity_at = now()
  from fence where workspace_id = ${workspace}::uuid and agent_session.id = ${session}::uuid),
messages as (
  insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text, stop_reason)
  select ${workspace}::uuid, ${session}::uuid, m.id, fence.id, m.seq, m.role, m.content, m.search_text, m.stop_reason
  from fence, json_to_recordset(${param('messages')}::json)
    as m(id uuid, seq bigint, role text, content json, search_text text, stop_reason text)),
calls as (
  insert into agent_tool_call (workspace_id, id, run_id, session_id, message_id, step, ordinal, tool_use_id, name,
    tool_version, effect, input, effective_input, input_digest, status, decided_by, idempotency_key, claim_epoch,
    dispatched_at, http_status, result, result_model, is_error, finished_at)
  select ${workspace}::uuid, c.id, fence.id, ${session}::uuid, c.message_id, c.step, c.ordinal, c.tool_use_id, c.name,
    c.tool_version, c.effect, c.input, c.effective_input, c.input_digest, c.status, c.decided_by, c.idempotency_key,
    case when c.status = 'dispatching' then ${epoch} end, case when c.status = 'dispatching' then now() end,
    c.http_status, c.result, c.result_model, c.is_error, case when c.result_model is not null then now() end
  from fence, json_to_recordset(${param('calls')}::json) as c(id uuid, message_id uuid, step integer,
    ordinal integer, tool_use_id text, name text, tool_version text, effect text, input json, effective_input json,
    input_digest text, status text, decided_by text, idempotency_key uuid, http_status integer, result json,
    result_model text, is_error boolean)),
endings as (
  update agent_tool_call set status = e.status, http_status = e.http_status, result = e.result,
    result_model = e.result_model, truncated = e.truncated, is_error = e.is_error, finished_at = now()
  from fence, json_to_recordset(${param('endings')}::json) as e(id uuid, status text, http_status integer,
    result json, result_model text, truncated boolean, is_error boolean)
  where agent_tool_call.workspace_id = ${workspace}::uuid and agent_tool_call.id = e.id),
confirmations as (
  insert into agent_confirmation (workspace_id, id, kind, user_id, session_id, run_id, tool_call_id, name, arguments,
    summary, preview, risk, editable, input_digest, expires_at)
  select ${workspace}::uuid, c.id, c.kind, ${user}::uuid, ${session}::uuid, fence.id, c.tool_call_id, c.name,
    c.arguments, c.summary, c.preview, c.risk, c.editable, c.input_digest, c.expires_at
  from fence, json_to_recordset(${param('confirmations')}::json) as c(id uuid, kind text, tool_call_id uuid,
    name text, arguments json, summary text, preview json, risk text, editable json, input_digest text,
    expires_at timestamptz)),
used as (
  insert into agent_usage (workspace_id, id, user_id, session_id, run_id, purpose, model, input_tokens,
    cache_write_tokens, cache_read_tokens, output_tokens, cost_usd_micros, provider_request_id)
  select ${workspace}::uuid, u.id, ${user}::uuid, ${session}::uuid, fence.id, 'chat', u.model, u.input_tokens,
    u.cache_write_tokens, u.cache_read_tokens, u.output_tokens, u.cost_usd_micros, u.provider_request_id
  from fence, json_to_recordset(${param('usage')}::json) as u(id uuid, model text,
    input_tokens bigint, cache_write_tokens bigint, cache_read_tokens bigint, output_tokens bigint,
    cost_usd_micros bigint, provider_request_id text)),
closed as (
  update agent_confirmation set status = 'closed', close_reason = coalesce(${reason}, 'run_' || ${status})
  from fence where agent_confirmation.workspace_id = ${workspace}::uuid and agent_confirmation.run_id = fence.id
    and agent_confirmation.status = 'pending' and ${status} in ${ended}),
events as (
  insert into stream_event (workspace_id, stream_id, position, event, data)
  select ${workspace}::uuid, fence.id, e.position, e.event, e.data from fence, unnest(
    ${param('positions')}::bigint[], ${param('events')}::text[], ${param('datas')}::json[]) as e(position, event, data)
  on conflict do nothing)
select count(*)::integer as held from fence`
})

const list = (rows: readonly object[] | undefined) =>
  rows === undefined || rows.length === 0 ? '[]' : JSON.stringify(rows)

/**
 * All that one step of a run changes, in one statement and so in one transaction. It is fenced: unless the run is
 * still running under the epoch, nothing is written.
 * @returns whether the caller still held the run
 */
export const commitRun = async (db: Db, key: RunKey, change: RunCommit): Promise<boolean> => {
  const rows = await commit(db, {
    workspace: key.workspace_id,
    run: key.run_id,
    session: key.session_id,
    user: key.user_id,
    epoch: key.epoch,
    status: change.status,
    reason: change.reason ?? null,
    error: change.error ? JSON.stringify(change.error) : null,
    position: change.position,
    steps: change.steps ?? 0,
    next: (change.messages?.at(-1)?.seq ?? 0) + 1,
    spent: change.usage?.cost_usd_micros ?? 0,
    messages: list(change.messages),
    calls: list(change.calls),
    endings: list(change.endings),
    confirmations: list(change.confirmations),
    usage: list(change.usage ? [change.usage] : []),
    positions: change.events.map((row) => row.position),
    events: change.events.map((row) => row.event),
    datas: change.events.map((row) => row.data)
  })
  return rows[0]?.held === 1
}
