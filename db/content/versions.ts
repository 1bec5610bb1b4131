import { sql } from 'kysely'
import type { ReviewState } from '../../schemas/content/contents.js'
import type { BrandReport } from 'steward-prose-engine/schemas'
import { now } from '../clock.js'
import type { Db } from '../index.js'

const columns = ['version', 'body', 'content_hash', 'origin', 'review_state', 'review_comment', 'reviewed_by',
  'reviewed_at', 'brand_version', 'checks', 'author', 'created_at'] as const

export const findVersion = (db: Db, workspaceId: string, contentId: string, version: number) =>
  db.selectFrom('content_version').select(columns).where('workspace_id', '=', workspaceId)
    .where('content_id', '=', contentId).where('version', '=', version).executeTakeFirst()

export type VersionRow = NonNullable<Awaited<ReturnType<typeof findVersion>>>

export const listVersions = (db: Db, workspaceId: string, contentId: string, before: number | undefined,
  limit: number) =>
  db.selectFrom('content_version')
    .select(['version', 'origin', 'review_state', 'review_comment', 'reviewed_by', 'reviewed_at', 'content_hash',
      'brand_version', 'author', 'created_at', sql<string>`body->>'title'`.as('title'),
      sql<number>`(checks->>'score')::integer`.as('score')])
    .where('workspace_id', '=', workspaceId).where('content_id', '=', contentId)
    .$if(before !== undefined, (query) => query.where('version', '<', before ?? 0))
    .orderBy('version', 'desc').limit(limit).execute()

export interface Review { state: ReviewState, comment: string | null, by: string, checks?: BrandReport }

/** Writes the review of a version; its text never changes. */
export const setReview = async (db: Db, workspaceId: string, contentId: string, version: number, review: Review):
Promise<void> => {
  const { state, comment, by, checks } = review
  await db.updateTable('content_version').set({
    review_state: state,
    review_comment: comment,
    reviewed_by: by,
    reviewed_at: now,
    ...(checks && { checks: JSON.stringify(checks), brand_version: checks.brand_version })
  }).where('workspace_id', '=', workspaceId).where('content_id', '=', contentId).where('version', '=', version)
    .execute()
}
