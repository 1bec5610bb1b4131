import type { Generated } from 'kysely'
import type {
  External, PublicationAttempt, PublicationState, PublicationWarning
} from '../../schemas/content/publications.js'
import type { TargetKind } from '../../schemas/content/targets.js'
import type { Actor } from '../audit.js'
import type { Json, NullableJson, NullableTime, Time } from '../types.js'

export interface ContentPublicationTable {
  workspace_id: string
  id: string
  content_id: string
  version: number
  target_id: string
  target_name: string
  kind: TargetKind
  action: 'publish' | 'update' | 'unpublish'
  state: PublicationState
  error: string | null
  publish_at: NullableTime
  timezone: string | null
  misfire: 'late' | 'skip'
  republish: boolean
  overwrite: Generated<boolean>
  dedupe_key: string
  retired_at: NullableTime
  warnings: Json<PublicationWarning[]>
  attempts: Json<PublicationAttempt[]>
  attempt_count: Generated<number>
  external: NullableJson<External>
  /** When the next attempt is due. */
  next_attempt_at: NullableTime
  lease_epoch: Generated<number>
  lease_until: NullableTime
  /** The requesting principal: the code host is called as that person. */
  principal: Json<Actor>
  created_by: string
  created_at: Time
  finished_at: NullableTime
}

export interface ContentPlacementTable {
  workspace_id: string
  content_id: string
  target_id: string
  kind: TargetKind
  version: number
  publication_id: string
  external: NullableJson<External>
  live: boolean
  published_at: Time
  updated_at: Time
}

declare module '../types.js' {
  interface Database {
    content_publication: ContentPublicationTable
    content_placement: ContentPlacementTable
  }
}
