import type { ColumnType, Generated } from 'kysely'
import type { ReportSentence } from '../../schemas/agent/reports.js'
import type { FiringStatus, TriggerKind, TriggerSource } from '../../schemas/agent/triggers.js'
import type { Json, NullableJson, NullableTime, Time } from '../types.js'

export interface AgentTriggerTable {
  workspace_id: string
  id: string
  /** As whom its runs act. */
  user_id: string
  /** What the runs may do: the rights with which the trigger was made, as a run stores them. */
  principal: Json<{ scopes: string[] | null, token_id?: string | null }>
  kind: TriggerKind
  name: string
  question: string
  cron: string | null
  time_zone: string | null
  source: TriggerSource | null
  topic_arn: string | null
  app_id: string | null
  min_impact_usd: number | null
  /** Encrypted. */
  secret: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
  enabled: Generated<boolean>
  /** Why Steward turned it off. */
  off_reason: string | null
  budget_usd_micros: number
  runs_a_day: number
  next_at: NullableTime
  last_run_at: NullableTime
  revision: Generated<number>
  created_at: Time
  updated_at: Time
}

/** Something set a trigger off: it becomes at most one run. */
export interface AgentTriggerFiringTable {
  workspace_id: string
  id: string
  trigger_id: string
  title: string
  /** What was sent, as far as it is kept: text from outside. */
  alert: NullableJson<unknown>
  status: FiringStatus
  reason: string | null
  session_id: string | null
  run_id: string | null
  resolved_at: NullableTime
  /** When the session got the note that it is resolved. */
  noted_at: NullableTime
  attempts: Generated<number>
  next_attempt_at: Time
  started_at: NullableTime
  created_at: Time
}

export interface AgentTriggerAlertTable {
  workspace_id: string
  trigger_id: string
  identity: string
  firing_id: string
  /** When it began, by its sender; null: the sender does not say. */
  started_at: NullableTime
  resolved_at: NullableTime
}

export interface AgentTriggerProposalTable {
  workspace_id: string
  run_id: string
  firing_id: string
  tool_call_id: string
  created_at: Time
}

export interface AgentReportTable {
  workspace_id: string
  id: string
  user_id: string
  firing_id: string
  session_id: string
  run_id: string
  title: string
  sentences: Json<ReportSentence[]>
  unsupported: number
  created_at: Time
}

declare module '../types.js' {
  interface Database {
    agent_trigger: AgentTriggerTable
    agent_trigger_firing: AgentTriggerFiringTable
    agent_trigger_alert: AgentTriggerAlertTable
    agent_trigger_proposal: AgentTriggerProposalTable
    agent_report: AgentReportTable
  }
}
