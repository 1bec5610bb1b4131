import type { ColumnType, Generated } from 'kysely'
import type {
  AgentSessionTable,
  AgentPromptTable,
  AgentMessageTable,
  AgentRunTable,
  AgentToolCallTable,
  AgentConfirmationTable,
  AgentPreferenceTable,
  AgentUsageTable
} from './agent/tables.js'
import type { Scope } from '../schemas/account/scopes.js'
import type { CodehostRepositoryAccessTable, CodehostRepositoryTable } from './codehost/repository-tables.js'
import type {
  CloudAccountTable, CloudCostBudgetTable, CloudCostTable, ServiceDeploymentTable
} from './cloud/tables.js'
import type {
  ContentBrandTable, ContentBrandVersionTable, ContentBriefTable, ContentTable, ContentTargetTable, ContentVersionTable
} from './content/tables.js'
import type {
  ContentGenerationOutputTable, ContentGenerationStepTable, ContentGenerationTable, ContentSuggestionTable
} from './content/generation-tables.js'
import type { CodehostAuthorizationTable, CodehostIdentityTable } from './codehost/tables.js'
import type { ContentPlacementTable, ContentPublicationTable } from './content/publication-tables.js'
import type { CodehostActivityTable, CodehostReceiptTable } from './codehost/webhook-tables.js'
import type { DeploymentAppTable, DeploymentBuildTable } from './deployments/tables.js'
import type {
  PseChunkTable, PseGenerationTable, PseInputTable, PseSessionTable, PseStepTable, PseVersionTable
} from './pse/tables.js'
import type { PseStandardTable, PseStandardVersionTable } from './pse/standard-tables.js'

/** A database time: read as Date, written as Date, text or left to its default. */
export type Time = ColumnType<Date, Date | string | undefined, Date | string>
export type NullableTime = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** A json column: the driver parses it on the way out; on the way in it is JSON text. */
export type Json<T> = ColumnType<T, string, string>
export type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>

export type Role = 'viewer' | 'member' | 'admin'

export interface WorkspaceTable {
  id: string
  name: string
  created_at: Time
  updated_at: Time
  revision: Generated<number>
}

export interface AccountUserTable {
  workspace_id: string
  id: string
  name: string
  email: string | null
  role: Role
  status: 'active' | 'disabled'
  revision: Generated<number>
  first_sign_in_at: NullableTime
  created_at: Time
  updated_at: Time
}

export interface AccountTokenTable {
  workspace_id: string
  id: string
  user_id: string
  name: string
  hash: Buffer
  prefix: string
  scopes: Json<Scope[]>
  assistant: boolean
  expires_at: Time
  revoked_at: NullableTime
  last_used_at: NullableTime
  created_at: Time
}

export interface AccountSessionTable {
  workspace_id: string
  id: string
  user_id: string
  hash: Buffer
  user_agent: string | null
  idle_expires_at: Time
  expires_at: Time
  ended_at: NullableTime
  last_used_at: Time
  created_at: Time
}

export interface AccountLinkTable {
  workspace_id: string
  id: string
  user_id: string
  purpose: 'bootstrap' | 'invitation'
  hash: Buffer
  expires_at: Time
  used_at: NullableTime
  created_at: Time
}

export interface AccountProjectTable {
  workspace_id: string
  id: string
  name: string
  description: string | null
  revision: Generated<number>
  created_by: string
  created_at: Time
  updated_at: Time
  archived_at: NullableTime
}

export interface AuditTable {
  workspace_id: string
  id: string
  at: Time
  user_id: string | null
  via: 'browser' | 'token' | 'assistant' | 'system'
  via_id: string | null
  operation: string
  target: string | null
  outcome: string
  status: number
  remote_address: string | null
  request_id: string
}

export interface IdempotencyKeyTable {
  workspace_id: string
  principal: string
  operation: string
  key: string
  body_hash: Buffer
  status: number | null
  headers: NullableJson<Record<string, string>>
  body: string | null
  created_at: Time
  finished_at: NullableTime
}

export interface RateWindowTable {
  workspace_id: string
  principal: string
  window_start: Time
  count: number
}

export interface StreamEventTable {
  workspace_id: string
  stream_id: string
  /** Position of the event's last unit; a content event is as long as its text, any other is 1 long. */
  position: number
  event: string
  data: Json<Record<string, unknown>>
  created_at: Time
}

/** One row type per table: whoever names a column finds it here. */
export interface Database {
  pse_standard: PseStandardTable
  pse_standard_version: PseStandardVersionTable
  workspace: WorkspaceTable
  account_user: AccountUserTable
  account_token: AccountTokenTable
  account_session: AccountSessionTable
  account_link: AccountLinkTable
  account_project: AccountProjectTable
  audit: AuditTable
  idempotency_key: IdempotencyKeyTable
  rate_window: RateWindowTable
  stream_event: StreamEventTable
  cloud_account: CloudAccountTable
  cloud_cost: CloudCostTable
  cloud_cost_budget: CloudCostBudgetTable
  service_deployment: ServiceDeploymentTable
  codehost_authorization: CodehostAuthorizationTable
  codehost_identity: CodehostIdentityTable
  codehost_repository: CodehostRepositoryTable
  codehost_repository_access: CodehostRepositoryAccessTable
  content_brand: ContentBrandTable
  content_brand_version: ContentBrandVersionTable
  content_target: ContentTargetTable
  content_brief: ContentBriefTable
  codehost_receipt: CodehostReceiptTable
  codehost_activity: CodehostActivityTable
  content: ContentTable
  content_version: ContentVersionTable
  content_publication: ContentPublicationTable
  content_placement: ContentPlacementTable
  content_generation: ContentGenerationTable
  content_generation_output: ContentGenerationOutputTable
  content_generation_step: ContentGenerationStepTable
  content_suggestion: ContentSuggestionTable
  deployment_app: DeploymentAppTable
  deployment_build: DeploymentBuildTable
  pse_session: PseSessionTable
  pse_input: PseInputTable
  pse_chunk: PseChunkTable
  pse_version: PseVersionTable
  pse_generation: PseGenerationTable
  pse_step: PseStepTable
  agent_session: AgentSessionTable
  agent_prompt: AgentPromptTable
  agent_message: AgentMessageTable
  agent_run: AgentRunTable
  agent_tool_call: AgentToolCallTable
  agent_confirmation: AgentConfirmationTable
  agent_preference: AgentPreferenceTable
  agent_usage: AgentUsageTable
}

export type { CallStatus, RunStatus } from './agent/tables.js'
