import type { Generated } from 'kysely'
import type { BrandSettings } from '../../schemas/content/brands.js'
import type { BriefBody, BriefStatus } from '../../schemas/content/briefs.js'
import type { PublishTarget } from '../../schemas/content/targets.js'
import type { Json, NullableTime, Time } from '../types.js'

/** A target as the brand keeps it; what is secret or happens to it stands in a row of its own. */
export type StoredTarget = Omit<PublishTarget, 'secret_set' | 'disabled_reason'>

export interface StoredBrand extends BrandSettings { publish_targets: StoredTarget[] }

export interface ContentBrandTable {
  workspace_id: string
  project_id: string
  version: number
  settings: Json<StoredBrand>
  updated_by: string
  updated_at: Time
}

export interface ContentBrandVersionTable {
  workspace_id: string
  project_id: string
  version: number
  settings: Json<StoredBrand>
  created_by: string
  created_at: Time
}

export interface ContentTargetTable {
  workspace_id: string
  id: string
  project_id: string
  secret: Buffer | null
  previous_secret: Buffer | null
  previous_until: NullableTime
  disabled_reason: string | null
}

export interface ContentBriefTable {
  workspace_id: string
  id: string
  project_id: string
  status: Generated<BriefStatus>
  title: string
  channels: string[]
  body: Json<BriefBody>
  revision: Generated<number>
  created_by: string
  created_at: Time
  updated_at: Time
}
