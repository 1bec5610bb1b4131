import type { Target } from '../../schemas/agent/events.js'
import type { GrantBounds } from '../../schemas/agent/grants.js'
import type { Json, NullableJson, NullableTime, Time } from '../types.js'

/** For a time, a tool may run again, in a conversation, on the target for which a person has approved it. */
export interface AgentGrantTable {
  workspace_id: string
  id: string
  /** Who approved it. */
  user_id: string
  session_id: string
  confirmation_id: string
  tool: string
  target: Json<Target>
  summary: string
  /** What it covers; a grant of the release before has none, and covers nothing. */
  bounds: NullableJson<GrantBounds>
  /** When it was approved: foreign text that was read since ends the grant. */
  since: Time
  created_at: Time
  expires_at: Time
  /** When it was revoked. */
  ended_at: NullableTime
}

declare module '../types.js' {
  interface Database { agent_grant: AgentGrantTable }
}
