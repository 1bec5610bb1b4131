import type { Generated } from 'kysely'
import type { standardStatuses, StandardContent } from '../../schemas/pse/standards.js'
import type { Json, Time } from '../types.js'

export interface PseStandardTable {
  workspace_id: string
  id: string
  key: string
  /** The newest one's number. */
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

declare module '../types.js' {
  interface Database {
    pse_standard: PseStandardTable
    pse_standard_version: PseStandardVersionTable
  }
}
