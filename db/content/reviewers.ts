import { v7 as uuid } from 'uuid'
import { clock } from '../clock.js'
import { anyOf } from '../filters.js'
import type { Db } from '../index.js'
import type { ReviewNotice } from '../../schemas/content/reviewers.js'

export interface NewNotice {
  content_id: string
  version: number
  user_id: string
  kind: ReviewNotice
  caused_by: string
}

/** What the reviewer is to hear; in the transaction of what has happened. */
export const insertReviewNotice = async (trx: Db, workspaceId: string, notice: NewNotice): Promise<void> => {
  await trx.insertInto('content_review_notice')
    .values({ ...notice, workspace_id: workspaceId, id: uuid(), created_at: clock }).execute()
}

/** @returns what these people are to hear of texts that they review, since then, the oldest first */
export const listReviewNotices = (db: Db, workspaceId: string, people: readonly string[], since: Date) =>
  db.selectFrom('content_review_notice as n')
    .innerJoin('content as c', (join) => join
      .onRef('c.workspace_id', '=', 'n.workspace_id').onRef('c.id', '=', 'n.content_id'))
    .select(['n.id', 'n.user_id', 'n.content_id', 'n.version', 'n.kind', 'n.caused_by', 'n.created_at', 'c.title',
      'c.project_id'])
    .where('n.workspace_id', '=', workspaceId).where('n.user_id', '=', anyOf(people))
    .where('n.created_at', '>=', since).where('c.deleted_at', 'is', null)
    .orderBy('n.created_at').limit(500).execute()
