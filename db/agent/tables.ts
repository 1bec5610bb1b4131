import type { ColumnType, Generated } from 'kysely'
import type { ConfirmationPlan } from '../../schemas/agent/confirmations.js'
import type { Compaction, PreviewRow, Target } from '../../schemas/agent/events.js'
import type { Requirement, RiskReason, StepOf } from '../../schemas/agent/requirements.js'
import type { Effort } from '../../schemas/agent/models.js'
import type { Json, NullableJson, NullableTime, Time } from '../types.js'

/** What one call of the model has used and cost. */
export interface AgentUsageTable {
  workspace_id: string
  id: string
  user_id: string
  session_id: string | null
  run_id: string | null
  generation_id: string | null
  purpose: 'chat' | 'title' | 'spec' | 'content' | 'test'
  model: string
  input_tokens: number
  cache_write_tokens: number
  cache_read_tokens: number
  output_tokens: number
  cost_usd_micros: number
  provider_request_id: string | null
  /** The provider did not report all that it charged. */
  estimated: Generated<boolean>
  created_at: Time
}

/** `parked`: it waits for approvals while other runs go on with its conversation; such a run is not live. */
export type RunStatus =
  'ready' | 'running' | 'awaiting_confirmation' | 'parked' | 'completed' | 'failed' | 'cancelled' | 'expired'

/** A chat asks a model; a tool call is one write that a client proposed. */
export type RunKind = 'chat' | 'tool_call'

export interface AgentSessionTable {
  workspace_id: string
  id: string
  user_id: string
  kind: Generated<RunKind>
  title: string | null
  title_source: 'none' | 'auto' | 'user' | 'fallback'
  model: string
  /** What the person has chosen; null = as configured. */
  own_model: string | null
  effort: Effort | null
  thinking: string | null
  /** Number of the first message to this model. */
  model_since: Generated<number>
  /** Names the frozen system prompt: byte-exact for prompt caching. */
  system_hash: string
  next_message: Generated<number>
  budget_usd_micros: number
  spent_usd_micros: Generated<number>
  /** Number of the first message that is sent to the model; what was before is in a summary. */
  sent_since: Generated<number>
  /** Of the last request whose tokens the provider has counted. */
  context_tokens: Generated<number>
  context_characters: Generated<number>
  created_at: Time
  last_activity_at: Time
  pinned_at: NullableTime
  deleted_at: NullableTime
}

/** A session that its owner shows to everyone in the workspace. */
export interface AgentShareTable {
  workspace_id: string
  session_id: string
  created_at: Time
}

export interface AgentFeedbackTable {
  workspace_id: string
  id: string
  session_id: string
  message_id: string
  rating: 'good' | 'bad'
  comment: string | null
  created_at: Time
  updated_at: Time
}

/** A file that a person gives the assistant with a message. */
export interface AgentAttachmentTable {
  workspace_id: string
  id: string
  user_id: string
  /** With a message: from then on it goes with the last session that has it. */
  sent: Generated<boolean>
  name: string
  kind: 'image' | 'pdf' | 'text'
  media_type: string
  size: number
  tokens: number
  data: Buffer
  created_at: Time
}

export interface AgentSessionAttachmentTable {
  workspace_id: string
  session_id: string
  attachment_id: string
}

/** Who wrote a message; person and token are looked up again when it is sent. */
export interface QueuedPrincipal {
  scopes: string[] | null
  via: 'browser' | 'token' | 'assistant'
  via_id: string | null
}

/** A message that waits until the run of its session has ended. */
export interface AgentQueuedMessageTable {
  workspace_id: string
  id: string
  session_id: string
  user_id: string
  principal: Json<QueuedPrincipal>
  message: string
  context: NullableJson<object>
  attachment_ids: Json<string[]>
  state: Generated<'waiting'>
  request_id: string
  remote_address: string
  next_attempt_at: Time
  created_at: Time
}

export interface AgentPromptTable {
  workspace_id: string
  hash: string
  text: string
  created_at: Time
}

export interface AgentMessageTable {
  workspace_id: string
  session_id: string
  id: string
  run_id: string
  seq: number
  role: 'user' | 'assistant'
  content: Json<unknown[]>
  /** What the model is sent instead of the content: old results are lines. */
  sent: NullableJson<unknown[]>
  /** Of a summary: it stands for all messages before one. */
  compaction: NullableJson<Compaction>
  search_text: string
  stop_reason: string | null
  /** The model that gave the answer, where one did. */
  model: string | null
  created_at: Time
}

export interface AgentRunTable {
  workspace_id: string
  id: string
  session_id: string
  user_id: string
  kind: Generated<RunKind>
  /** Who started it, as far as authorization needs: role at start and token scopes. */
  principal: Json<Record<string, unknown>>
  status: RunStatus
  /** Of the database when the run began. */
  timeline: Generated<string | null>
  reason: string | null
  step: Generated<number>
  attempts: Generated<number>
  /** Position of the last stored event of the run's stream. */
  position: Generated<number>
  lease_owner: string | null
  lease_epoch: Generated<number>
  lease_until: NullableTime
  wake_at: Time
  active_ms: Generated<number>
  cancel_requested_at: NullableTime
  idempotency_key: string | null
  request_hash: Buffer | null
  budget_usd_micros: number
  error: NullableJson<Record<string, unknown>>
  created_at: Time
  finished_at: NullableTime
}

export type CallStatus =
  | 'denied'
  | 'auto_approved'
  | 'awaiting'
  | 'approved'
  | 'dispatching'
  | 'succeeded'
  | 'failed'
  | 'rejected'
  | 'expired'
  | 'superseded'
  | 'cancelled'
  | 'timed_out'
  | 'unknown'

export interface AgentToolCallTable {
  workspace_id: string
  id: string
  run_id: string
  session_id: string
  message_id: string
  step: number
  ordinal: number
  tool_use_id: string
  name: string
  tool_version: string
  effect: 'read' | 'write'
  input: Json<unknown>
  effective_input: NullableJson<Record<string, unknown>>
  input_digest: string
  status: CallStatus
  decided_by: string | null
  idempotency_key: string
  claim_epoch: number | null
  dispatched_at: NullableTime
  http_status: number | null
  result: NullableJson<unknown>
  result_model: string | null
  truncated: Generated<boolean>
  is_error: Generated<boolean>
  finished_at: NullableTime
  created_at: Time
}

/** What a person is shown of a plan, and approves by its digest. */
export type ShownPlan = Omit<ConfirmationPlan, 'written_by'>

/** The plan of edited arguments, and who has edited them; the release before does not say who. */
export type Draft = ShownPlan & { by?: string }

export interface AgentConfirmationTable {
  workspace_id: string
  id: string
  kind: 'tool' | 'budget'
  user_id: string
  session_id: string
  run_id: string
  tool_call_id: string | null
  status: 'pending' | 'approved' | 'rejected' | 'expired' | 'closed'
  /** Of the database when it was asked. */
  timeline: Generated<string | null>
  close_reason: string | null
  name: string
  arguments: Json<Record<string, unknown>>
  summary: string
  preview: Json<PreviewRow[]>
  risk: ConfirmationPlan['risk']
  /** Empty where the release before asked. */
  risk_reasons: ColumnType<RiskReason[], string | undefined, string>
  editable: Json<string[]>
  input_digest: string
  /** Of a tool's question: what it acts on, and the facts that it depends on. */
  target: NullableJson<Target>
  facts: NullableJson<Record<string, unknown>>
  /** Who has to approve it; null = one person, who may be the one who asked. */
  requirement: NullableJson<Requirement>
  /** The plan of edited arguments, as it was shown last. */
  draft: NullableJson<Draft>
  /** What was asked before an edit was approved. */
  proposed: NullableJson<ShownPlan>
  /** Who has changed it since it was asked, beside the person who asked; null = nobody. */
  authors: NullableJson<string[]>
  /** The question that showed another state. */
  replaces: string | null
  /** Whether the run's stream has it. */
  announced: Generated<boolean>
  reason: string | null
  /** What a person wants changed before it is asked again. */
  changes: string | null
  /** The first question of those that followed each other; null = it is the first. */
  thread_id: string | null
  /** The plan of steps with which it is decided; null = by itself. */
  steps: NullableJson<StepOf>
  requested_at: Time
  expires_at: Time
  decided_at: NullableTime
  decided_by: string | null
}

export interface AgentPreferenceTable {
  workspace_id: string
  id: string
  user_id: string
  key: string
  kind: 'rule' | 'style' | 'default' | 'forbid'
  value: Json<unknown>
  applies_to: Json<string[]>
  status: 'active' | 'suggested' | 'disabled'
  source: 'user' | 'assistant'
  version: Generated<number>
  created_at: Time
  updated_at: Time
}

declare module '../types.js' {
  interface Database {
    agent_session: AgentSessionTable
    agent_share: AgentShareTable
    agent_feedback: AgentFeedbackTable
    agent_queued_message: AgentQueuedMessageTable
    agent_attachment: AgentAttachmentTable
    agent_session_attachment: AgentSessionAttachmentTable
    agent_prompt: AgentPromptTable
    agent_message: AgentMessageTable
    agent_run: AgentRunTable
    agent_tool_call: AgentToolCallTable
    agent_confirmation: AgentConfirmationTable
    agent_preference: AgentPreferenceTable
    agent_usage: AgentUsageTable
  }
}
