import type { ColumnType, Generated } from 'kysely'
import type {
  artifacts, CheckReport, InputKind, notations, profiles, SpecDocument, specTypes
} from 'steward-spec-engine/schemas'
import type {
  GenerateSpec, Generation, GenerationEstimate, GenerationStatus
} from '../../schemas/pse/generations.js'
import type { AttachedStandard, SpecOptions } from '../../schemas/pse/sessions.js'
import type { StandardContent, standardStatuses } from '../../schemas/pse/standards.js'
import type { SpecReview, versionOrigins } from '../../schemas/pse/versions.js'
import type { Json, NullableJson, NullableTime, Time } from '../types.js'

export interface PseSessionTable {
  workspace_id: string
  id: string
  project_id: string | null
  title: string
  description: string
  spec_type: typeof specTypes[number]
  profile: typeof profiles[number]
  notation: typeof notations[number]
  locale: string
  artifacts: Json<(typeof artifacts[number])[]>
  standards: Json<AttachedStandard[]>
  options: Json<SpecOptions>
  stale: Generated<boolean>
  /** Ids of the unanswered blocking questions of the current version. */
  blocking: Json<string[]>
  current_version: number | null
  approved_version: number | null
  /** The current version is the approved one. */
  approved: Generated<boolean>
  archived_at: NullableTime
  /** Undelete works for 30 days after it. */
  deleted_at: NullableTime
  next_seq: Generated<number>
  /** Characters of the inputs that are not superseded. */
  input_chars: Generated<number>
  /** Position of the last event of the session's stream. */
  event_seq: Generated<number>
  revision: Generated<number>
  created_by: string
  created_at: Time
  updated_at: Time
}

/** What an input refers to, as the engine reads it. */
export interface InputAbout {
  question_id?: string
  rule_id?: string
  target?: string
  expires_at?: string | null
}

export interface PseInputTable {
  workspace_id: string
  id: string
  session_id: string
  seq: number
  kind: InputKind
  label: string
  source: Json<Record<string, unknown>>
  /** Inputs with the same key have the same source: a newer one supersedes the older. */
  source_key: string | null
  trust: 'user' | 'external'
  /** seq of the input that superseded this one. */
  superseded_by: number | null
  media_type: string
  bytes: number
  chars: number
  sha256: string
  truncated: boolean
  pages: number | null
  text: string
  about: NullableJson<InputAbout>
  /** The operations of an edit, or the files of an imported spec. */
  detail: NullableJson<unknown>
  created_by: string
  created_at: Time
}

export interface PseChunkTable {
  workspace_id: string
  session_id: string
  input_seq: number
  number: number
  heading_path: Json<string[]>
  char_start: number
  char_end: number
  sha256: string
  token_estimate: number
}

export interface PinnedStandard { standard_id: string, version: number }

export interface PseVersionTable {
  workspace_id: string
  session_id: string
  version: number
  parent_version: number | null
  generation_id: string | null
  origin: typeof versionOrigins[number]
  /** The last version that was approved or imported before this one. */
  settled_version: number | null
  inputs_seq: number
  document: Json<SpecDocument>
  content_hash: string
  standards: Json<PinnedStandard[]>
  checks: NullableJson<CheckReport>
  /** Review questions that a person answered with yes at the approval. */
  reviews: ColumnType<SpecReview[], string | undefined, string>
  engine: string
  requirements: number
  open_questions: number
  created_by: string
  created_at: Time
}

export interface Failure { code: string, message: string }

export interface PseGenerationTable {
  workspace_id: string
  id: string
  session_id: string
  status: GenerationStatus
  mode: GenerateSpec['mode']
  engine: 'template' | 'model'
  model: string | null
  request: Json<GenerateSpec>
  /** The versions pinned when the generation was requested. */
  standards: Json<PinnedStandard[]>
  inputs_seq: number
  base_version: number | null
  result_version: number | null
  estimate: Json<GenerationEstimate>
  warnings: Json<string[]>
  suggestions: Json<Generation['suggestions']>
  error: NullableJson<Failure>
  proposal: NullableJson<SpecDocument>
  cancel_requested_at: NullableTime
  /** How often another process continued it after its worker was lost. */
  attempts: Generated<number>
  lease_owner: string | null
  lease_epoch: Generated<number>
  lease_until: NullableTime
  created_by: string
  created_at: Time
  started_at: NullableTime
  finished_at: NullableTime
}

export interface PseStepTable {
  workspace_id: string
  generation_id: string
  key: string
  /** Hash of everything that the result depends on; null = no other generation reuses the result. */
  fingerprint: string | null
  ordinal: number
  status: 'pending' | 'running' | 'done' | 'failed' | 'skipped'
  attempt: Generated<number>
  result: NullableJson<unknown>
  error: NullableJson<Failure>
  input_tokens: Generated<number>
  output_tokens: Generated<number>
  cache_read_tokens: Generated<number>
  cache_write_tokens: Generated<number>
  model_calls: Generated<number>
  /** null = the price of the model is unknown. */
  cost_usd_micros: number | null
  started_at: NullableTime
  finished_at: NullableTime
}

export interface PseStandardTable {
  workspace_id: string
  id: string
  key: string
  /** The number of the newest version. */
  version: Generated<number>
  revision: Generated<number>
  status: Generated<typeof standardStatuses[number]>
  created_by: string
  created_at: Time
  updated_at: Time
}

export interface PseStandardVersionTable {
  workspace_id: string
  standard_id: string
  version: number
  content: Json<StandardContent>
  created_by: string
  created_at: Time
}

export interface PseIssueTable {
  workspace_id: string
  session_id: string
  repo_id: string
  /** What the task is, in all versions of the spec. */
  task_key: string
  /** What the issue's text ends with. */
  mark: string
  number: number | null
  claimed_at: Time
}

declare module '../types.js' {
  interface Database {
    pse_session: PseSessionTable
    pse_input: PseInputTable
    pse_chunk: PseChunkTable
    pse_version: PseVersionTable
    pse_generation: PseGenerationTable
    pse_step: PseStepTable
    pse_issue: PseIssueTable
    pse_standard: PseStandardTable
    pse_standard_version: PseStandardVersionTable
  }
}
