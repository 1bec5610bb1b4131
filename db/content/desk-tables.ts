import type { Generated } from 'kysely'
import type { ReportFinding, Verdict } from 'steward-prose-engine/schemas'
import type { ReviewNotice } from '../../schemas/content/reviewers.js'
import type { Json, NullableTime, Time } from '../types.js'

export interface ContentThreadTable {
  workspace_id: string
  id: string
  content_id: string
  /** On which it was made, as are the field, the quote and the position. */
  version: number
  field: string
  exact: string
  prefix: string
  suffix: string
  start_at: number
  end_at: number
  /** Where the passage is in the newest version; null = it is gone from there. */
  anchor_field: string | null
  anchor_start: number | null
  anchor_end: number | null
  resolved_by: string | null
  resolved_at: NullableTime
  revision: Generated<number>
  created_by: string
  created_at: Time
  updated_at: Time
}

export interface ContentCommentTable {
  workspace_id: string
  id: string
  thread_id: string
  author: string
  /** '' = it is deleted, and was answered. */
  text: string
  created_at: Time
  edited_at: NullableTime
  deleted_at: NullableTime
}

export interface ContentReviewNoticeTable {
  workspace_id: string
  id: string
  content_id: string
  version: number
  user_id: string
  kind: ReviewNotice
  caused_by: string
  created_at: Time
}

export interface ContentCalendarTable {
  workspace_id: string
  id: string
  user_id: string
  /** null = of all projects that the person sees. */
  project_id: string | null
  name: string
  /** Of the token in the address. */
  hash: Buffer
  last_used_at: NullableTime
  created_at: Time
}

export interface ContentRepairTable {
  workspace_id: string
  id: string
  content_id: string
  /** The version that the repair is part of; the position is one of its field. */
  version: number
  field: string
  start_at: number
  end_at: number
  before: string
  after: string
  finding: Json<ReportFinding>
  created_by: string
  created_at: Time
  undone_version: number | null
  undone_by: string | null
  undone_at: NullableTime
}

export interface ContentStatementTable {
  workspace_id: string
  id: string
  content_id: string
  /** A hash of the text, without its blanks. */
  key: string
  text: string
  fact_ids: Generated<string[]>
  /** Of the words of the facts when it was judged. */
  facts_hash: string | null
  /** null = it was accepted, and never judged. */
  verdict: Verdict | null
  /** What code found that the facts do not say. */
  reason: string | null
  generation_id: string | null
  judged_at: NullableTime
  accepted_by: string | null
  accepted_at: NullableTime
  accepted_because: string | null
}

declare module '../types.js' {
  interface Database {
    content_thread: ContentThreadTable
    content_comment: ContentCommentTable
    content_review_notice: ContentReviewNoticeTable
    content_repair: ContentRepairTable
    content_statement: ContentStatementTable
    content_calendar: ContentCalendarTable
  }
}
