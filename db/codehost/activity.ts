import { sql, type Generated } from 'kysely'
import type { ActivityType } from '../../schemas/codehost/activity.js'
import type { ReceiptStatus } from '../../schemas/codehost/receipts.js'
import type { Db } from '../index.js'
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

interface CodehostActivityTable {
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

export type NewActivity = Omit<CodehostActivityTable, 'workspace_id' | 'occurred_at' | 'observed_at'> &
  { occurred_at: Date }

/** Which of two rows of one activity stays does not depend on the order in which they arrive. */
const greater = sql<boolean>`
  (excluded.source = 'webhook', excluded.occurred_at, excluded.digest) >
  (codehost_activity.source = 'webhook', codehost_activity.occurred_at, codehost_activity.digest)`

const overwritten = ['type', 'actor', 'occurred_at', 'source', 'ref', 'before', 'after', 'commit_count', 'pull_number',
  'subject', 'html_url', 'raw_event', 'digest'] as const

const atOnce = 100

/** Stores activity; an item that is stored already keeps its row. */
export const saveActivity = async (trx: Db, workspaceId: string, items: NewActivity[]): Promise<void> => {
  // One row an item, always in the same order: no statement writes a row twice, and no two statements deadlock.
  const sorted = [...new Map(items.map((item) => [`${item.repo_id} ${item.id}`, item])).entries()]
    .sort(([a], [b]) => a < b ? -1 : 1).map(([, item]) => item)
  for (let i = 0; i < sorted.length; i += atOnce) {
    await trx.insertInto('codehost_activity')
      .values(sorted.slice(i, i + atOnce).map((item) => ({ ...item, workspace_id: workspaceId })))
      .onConflict((conflict) => conflict.columns(['workspace_id', 'repo_id', 'id'])
        .doUpdateSet((eb) => Object.fromEntries(overwritten.map((name) => [name, eb.ref(`excluded.${name}`)])))
        .where(greater))
      .execute()
  }
}

export interface ActivityFilter { type?: ActivityType, actor?: string, since?: Date, until?: Date }
export interface ActivitySource { occurred_at: Date, id: string }

/** @returns the activity of a repository, the latest first. @param after the last item of the previous page */
export const listActivity = (db: Db, workspaceId: string, repoId: string,
  { type, actor, since, until }: ActivityFilter, after: ActivitySource | undefined, limit: number) =>
  db.selectFrom('codehost_activity')
    .select(['id', 'repo_id', 'type', 'actor', 'occurred_at', 'observed_at', 'source', 'ref', 'before', 'after',
      'commit_count', 'pull_number', 'subject', 'html_url', 'raw_event'])
    .where('workspace_id', '=', workspaceId).where('repo_id', '=', repoId)
    .$if(type !== undefined, (query) => query.where('type', '=', type ?? 'other'))
    .$if(actor !== undefined, (query) => query.where(sql<boolean>`lower(actor) = lower(${actor ?? ''})`))
    .$if(since !== undefined, (query) => query.where('occurred_at', '>=', since ?? null as never))
    .$if(until !== undefined, (query) => query.where('occurred_at', '<=', until ?? null as never))
    .$if(after !== undefined, (query) => query
      .where(sql<boolean>`(occurred_at, id) < (${after?.occurred_at}::timestamptz, ${after?.id}::text)`))
    .orderBy('occurred_at', 'desc').orderBy('id', 'desc').limit(limit).execute()

export type ActivityRow = Awaited<ReturnType<typeof listActivity>>[number]
