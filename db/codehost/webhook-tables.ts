import type { Generated } from 'kysely'
import type { ActivityType } from '../../schemas/codehost/activity.js'
import type { ReceiptStatus } from '../../schemas/codehost/receipts.js'
import type { NullableTime, Time } from '../types.js'

/** One webhook as it was received. */
export interface CodehostReceiptTable {
  workspace_id: string
  id: string
  delivery_id: string
  event: string
  action: string | null
  status: ReceiptStatus
  error_code: string | null
  content_type: string
  body: Buffer
  body_sha256: Buffer
  /** Identifies the secret that signed it, without revealing the secret. */
  secret_id: string
  hook_id: string | null
  repo_id: string | null
  received_at: Time
  processed_at: NullableTime
  attempts: Generated<number>
  /** When it is due. A claim moves it on, so a receipt whose worker crashes is processed again. */
  next_attempt_at: Time
}

export interface CodehostActivityTable {
  workspace_id: string
  repo_id: string
  /** Hash of the key that identifies the activity. */
  id: string
  type: ActivityType
  actor: string | null
  occurred_at: Time
  observed_at: Time
  source: 'webhook' | 'backfill'
  ref: string | null
  before: string | null
  after: string | null
  commit_count: number | null
  pull_number: number | null
  /** A tag, the state of a review, or a new name, for the summary. */
  subject: string | null
  html_url: string | null
  raw_event: string
  /** Hash of the other columns; the last criterion for which of two rows stays. */
  digest: Buffer
}

declare module '../types.js' {
  interface Database {
    codehost_receipt: CodehostReceiptTable
    codehost_activity: CodehostActivityTable
  }
}
