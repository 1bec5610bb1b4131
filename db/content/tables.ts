import type { Generated, GeneratedAlways } from 'kysely'
import type { BrandSettings } from '../../schemas/content/brands.js'
import type {
  BrandReport, BriefBody, Channel, ContentBody, Network, RefusedRule, ValeRule
} from 'steward-prose-engine/schemas'
import type { BriefStatus } from '../../schemas/content/briefs.js'
import type { ContentEngine, ContentStatus, Origin, ReviewState } from '../../schemas/content/contents.js'
import type { PublishTarget } from '../../schemas/content/targets.js'
import type { Json, NullableTime, Time } from '../types.js'

/** A target in the brand's settings; its secret and its state are in a row of content_target. */
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

export interface ContentStyleTable {
  workspace_id: string
  project_id: string
  name: string
  hash: string
  rules: Json<ValeRule[]>
  refused: Json<RefusedRule[]>
  updated_by: string
  updated_at: Time
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

export interface ContentTable {
  workspace_id: string
  id: string
  project_id: string
  brief_id: string | null
  group_id: string
  variant: Generated<number>
  translation_of: string | null
  /** The version of its source that a translation corresponds to; null = not known. */
  translated_version: number | null
  channel: Channel
  network: Network | null
  locale: string
  title: string
  slug: string
  engine: ContentEngine
  head_version: Generated<number>
  revision: Generated<number>
  review_state: Generated<ReviewState>
  reviewer: string | null
  approved_version: number | null
  published_version: number | null
  scheduled_version: number | null
  score: number
  verdict: BrandReport['verdict']
  archived_at: NullableTime
  deleted_at: NullableTime
  status: GeneratedAlways<ContentStatus>
  created_by: string
  created_at: Time
  updated_at: Time
}

export interface ContentVersionTable {
  workspace_id: string
  content_id: string
  version: number
  body: Json<ContentBody>
  content_hash: string
  sketch: Generated<number[]>
  origin: Origin
  review_state: Generated<ReviewState>
  review_comment: string | null
  reviewed_by: string | null
  reviewed_at: NullableTime
  brand_version: number
  checks: Json<BrandReport>
  author: string
  created_at: Time
}

export interface ContentImageTable {
  workspace_id: string
  id: string
  project_id: string
  /** SHA-256 of the bytes, in hex. */
  hash: string
  media_type: string
  width: number
  height: number
  size: number
  /** null = they are in an object store, under `object_key`. */
  data: Buffer | null
  object_key: string | null
  public_since: NullableTime
  created_by: string
  created_at: Time
}

/** Where a version with an image is live, or on its way. */
export interface ContentImageUseTable {
  workspace_id: string
  image_id: string
  content_id: string
  target_id: string
  version: number
}

/** What a brief's facts are taken from, as text. */
export interface ContentSourceTable {
  workspace_id: string
  id: string
  brief_id: string
  kind: 'file' | 'url'
  /** The name of the file, or the address. */
  name: string
  media_type: string
  text: string
  created_by: string
  read_at: Time
}

declare module '../types.js' {
  interface Database {
    content_brand: ContentBrandTable
    content_brand_version: ContentBrandVersionTable
    content_style: ContentStyleTable
    content_target: ContentTargetTable
    content_image: ContentImageTable
    content_image_use: ContentImageUseTable
    content_brief: ContentBriefTable
    content_source: ContentSourceTable
    content: ContentTable
    content_version: ContentVersionTable
  }
}
