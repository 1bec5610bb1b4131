import type { Generated } from 'kysely'
import type { Definition, LeftOut, Mode, ServerProblem } from '../../schemas/toolservers/servers.js'
import type { Json, NullableJson, NullableTime, Time } from '../types.js'

export interface ToolServerTable {
  workspace_id: string
  id: string
  /** Stands before the names of its tools. */
  name: string
  url: string
  header_names: Generated<string[]>
  /** Encrypted: a JSON object. */
  headers: Buffer | null
  enabled: Generated<boolean>
  left_out: Json<LeftOut[]>
  /** Why the last look found no tools. */
  problem: NullableJson<ServerProblem>
  looked_at: NullableTime
  revision: Generated<number>
  created_by: string
  created_at: Time
  updated_at: Time
}

/** `pinned` is what an admin accepted; `offered` what the server says now, equal to it unless it has changed. */
export interface ToolServerToolTable {
  workspace_id: string
  server_id: string
  name: string
  mode: Mode
  pinned: NullableJson<Definition>
  pinned_hash: string | null
  offered: NullableJson<Definition>
  offered_hash: string | null
  accepted_by: string | null
  accepted_at: NullableTime
}

declare module '../types.js' {
  interface Database {
    tool_server: ToolServerTable
    tool_server_tool: ToolServerToolTable
  }
}
