import { sql } from 'kysely'
import type { BrandReport } from 'steward-prose-engine/schemas'
import type { ReviewState } from '../../schemas/content/contents.js'
import { now } from '../clock.js'
import type { Db } from '../index.js'

const translationColumns = ['id', 'title', 'locale', 'head_version', 'translation_of', 'translated_version', 'project_id'] as const

const records = (db: Db, workspaceId: string) =>
  db.selectFrom('content').select(translationColumns).where('workspace_id', '=', workspaceId).where('deleted_at', 'is', null)

/** @returns the record that another one translates, if it is still there */
export const findSource = (db: Db, workspaceId: string, id: string) =>
  records(db, workspaceId).where('id', '=', id).executeTakeFirst()

/** @returns the translations of a record, which are of its project */
export const listTranslations = (db: Db, workspaceId: string, projectId: string, id: string) =>
  records(db, workspaceId).where('project_id', '=', projectId).where('translation_of', '=', id)
    .orderBy('id').limit(100).execute()

/** @returns what a record translates, deleted or not: a deleted one may come back */
export const findLink = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('content').select(['id', 'translation_of']).where('workspace_id', '=', workspaceId)
    .where('id', '=', id).executeTakeFirst()

const versionColumns = ['version', 'body', 'content_hash', 'origin', 'review_state', 'review_comment', 'reviewed_by',
  'reviewed_at', 'brand_version', 'checks', 'author', 'created_at'] as const

export const findVersion = (db: Db, workspaceId: string, contentId: string, version: number) =>
  db.selectFrom('content_version').select(versionColumns).where('workspace_id', '=', workspaceId)
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

/** Writes what a version's check finds now: a statement of it was accepted. */
export const setChecks = async (db: Db, workspaceId: string, contentId: string, version: number, checks: BrandReport):
Promise<void> => {
  await db.updateTable('content_version').set({ checks: JSON.stringify(checks), brand_version: checks.brand_version })
    .where('workspace_id', '=', workspaceId).where('content_id', '=', contentId).where('version', '=', version).execute()
}

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
