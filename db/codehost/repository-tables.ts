import type { Generated } from 'kysely'
import type { NullableTime, Time } from '../types.js'

export type Permission = 'read' | 'write' | 'admin'
export type SyncState = 'live' | 'backfilling' | 'stale' | 'disconnected'

export interface CodehostRepositoryTable {
  workspace_id: string
  id: string
  full_name: string
  default_branch: string
  private: boolean
  sync_state: Generated<SyncState>
  last_synced_at: NullableTime
  activity_complete_from: NullableTime
  /** When the code host last changed the record, by its own clock: an older record does not overwrite it. */
  host_updated_at: NullableTime
  /** When a webhook of the repository last arrived. */
  last_event_at: NullableTime
  created_at: Time
  updated_at: Time
}

export interface CodehostRepositoryAccessTable {
  workspace_id: string
  user_id: string
  repo_id: string
  permission: Permission
  checked_at: Time
}

declare module '../types.js' {
  interface Database {
    codehost_repository: CodehostRepositoryTable
    codehost_repository_access: CodehostRepositoryAccessTable
  }
}
