import type { Generated } from 'kysely'
import type { Time } from '../types.js'

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
