import type { Generated } from 'kysely'
import type { BriefBody, Channel, ContentBody, Network } from 'steward-prose-engine/schemas'
import type {
  ContentFailure, ContentGenerationStatus, GenerationMode, OutputStatus, WrittenBy
} from '../../schemas/content/generation-words.js'
import type { ContentEstimate } from '../../schemas/content/generation-records.js'
import type { GenerateContent } from '../../schemas/content/generations.js'
import type { ModelBudget } from '../../schemas/model-budget.js'
import type { Json, NullableJson, NullableTime, Time } from '../types.js'

export interface StoredPlan {
  model: string
  budget: Required<Omit<ModelBudget, 'max_cost_usd'>> & Pick<ModelBudget, 'max_cost_usd'>
  warnings: string[]
}

export interface ContentGenerationTable {
  workspace_id: string
  id: string
  project_id: string
  brief_id: string | null
  mode: GenerationMode
  engine: WrittenBy
  /** The model and its budget; null: written by rules. */
  plan: NullableJson<StoredPlan>
  /** The brief as it was when the generation was requested. */
  brief: NullableJson<BriefBody>
  status: ContentGenerationStatus
  request: Json<GenerateContent>
  estimate: Json<ContentEstimate>
  brand_version: number
  prompt_inputs: Json<string[]>
  retry_of: string | null
  error: NullableJson<ContentFailure>
  /** When the event budget_warning was written. */
  warned_at: NullableTime
  cancel_requested_at: NullableTime
  event_seq: Generated<number>
  attempts: Generated<number>
  lease_owner: string | null
  lease_epoch: Generated<number>
  lease_until: NullableTime
  created_by: string
  created_at: Time
  started_at: NullableTime
  finished_at: NullableTime
}

export interface ContentGenerationOutputTable {
  workspace_id: string
  generation_id: string
  number: number
  content_id: string
  channel: Channel
  network: Network | null
  locale: string
  variant: number
  /** The record's version that the proposal is merged into. */
  base_version: number
  /** adapt, translate: the record that it is derived from. */
  source_id: string | null
  source_version: number | null
  status: OutputStatus
  proposal: NullableJson<ContentBody>
  result_version: number | null
  suggestions: Generated<number>
  refused: Json<string[]>
  error: NullableJson<ContentFailure>
}

export interface ContentGenerationStepTable {
  workspace_id: string
  generation_id: string
  key: string
  ordinal: number
  status: 'running' | 'done' | 'failed'
  attempt: Generated<number>
  result: NullableJson<unknown>
  error: NullableJson<ContentFailure>
  input_tokens: Generated<number>
  output_tokens: Generated<number>
  cache_read_tokens: Generated<number>
  cache_write_tokens: Generated<number>
  cost_usd_micros: number | null
  started_at: NullableTime
  finished_at: NullableTime
}

export interface ContentSuggestionTable {
  workspace_id: string
  id: string
  content_id: string
  generation_id: string
  target: string
  before: string
  text: string
  status: Generated<'open' | 'accepted' | 'rejected'>
  decided_by: string | null
  decided_at: NullableTime
  created_at: Time
}

declare module '../types.js' {
  interface Database {
    content_generation: ContentGenerationTable
    content_generation_output: ContentGenerationOutputTable
    content_generation_step: ContentGenerationStepTable
    content_suggestion: ContentSuggestionTable
  }
}
