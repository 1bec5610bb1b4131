import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { ReviewNotice } from '../../schemas/content/reviewers.js'
import { clock, now } from '../clock.js'
import { count, next, anyOf, type Slice } from '../columns.js'
import type { Db } from '../index.js'

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

const columns = ['id', 'content_id', 'version', 'field', 'exact', 'prefix', 'suffix', 'start_at', 'end_at',
  'anchor_field', 'anchor_start', 'anchor_end', 'resolved_by', 'resolved_at', 'revision', 'created_by', 'created_at',
  'updated_at'] as const

const threads = (db: Db, workspaceId: string, contentId: string) =>
  db.selectFrom('content_thread').select(columns).where('workspace_id', '=', workspaceId)
    .where('content_id', '=', contentId)

/** @returns all of a record, of which there are no more than a record may have */
export const listAllThreads = (db: Db, workspaceId: string, contentId: string) =>
  threads(db, workspaceId, contentId).orderBy('id').execute()

export type ThreadRow = Awaited<ReturnType<typeof listAllThreads>>[number]

export const listThreads = (db: Db, workspaceId: string, contentId: string, status: 'open' | 'resolved' | 'all',
  { before, limit }: Slice): Promise<ThreadRow[]> =>
  threads(db, workspaceId, contentId)
    .$if(status !== 'all', (query) => query.where('resolved_at', status === 'open' ? 'is' : 'is not', null))
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc').limit(limit).execute()

export const findThread = (db: Db, workspaceId: string, contentId: string, id: string) =>
  threads(db, workspaceId, contentId).where('id', '=', id).executeTakeFirst()

/** Locks the thread until the transaction ends. @returns it */
export const lockThread = (db: Db, workspaceId: string, contentId: string, id: string) =>
  threads(db, workspaceId, contentId).where('id', '=', id).forUpdate().executeTakeFirst()

export const countThreads = async (db: Db, workspaceId: string, contentId: string): Promise<number> =>
  (await db.selectFrom('content_thread').select(count.as('count')).where('workspace_id', '=', workspaceId)
    .where('content_id', '=', contentId).executeTakeFirstOrThrow()).count

export const countComments = async (db: Db, workspaceId: string, threadId: string): Promise<number> =>
  (await db.selectFrom('content_comment').select(count.as('count')).where('workspace_id', '=', workspaceId)
    .where('thread_id', '=', threadId).executeTakeFirstOrThrow()).count

export interface PlacedAnchor { field: string, start: number, end: number }

export interface NewThread {
  content_id: string
  version: number
  field: string
  exact: string
  prefix: string
  suffix: string
  start_at: number
  end_at: number
  created_by: string
}

const anchorColumns = (anchor: PlacedAnchor | null) => ({
  anchor_field: anchor?.field ?? null, anchor_start: anchor?.start ?? null, anchor_end: anchor?.end ?? null
})

/** @returns its id */
export const insertThread = async (db: Db, workspaceId: string, made: NewThread, anchor: PlacedAnchor | null):
Promise<string> => {
  const id = uuid()
  await db.insertInto('content_thread')
    .values({ ...made, ...anchorColumns(anchor), workspace_id: workspaceId, id }).execute()
  return id
}

/** Writes where a passage is by now; that is no change of the thread by a person. */
export const moveAnchor = async (db: Db, workspaceId: string, id: string, anchor: PlacedAnchor | null):
Promise<void> => {
  await db.updateTable('content_thread').set(anchorColumns(anchor)).where('workspace_id', '=', workspaceId)
    .where('id', '=', id).execute()
}

export const insertComment = async (db: Db, workspaceId: string, threadId: string, author: string, text: string):
Promise<void> => {
  await db.insertInto('content_comment')
    .values({ workspace_id: workspaceId, id: uuid(), thread_id: threadId, author, text, created_at: clock }).execute()
}

/** Counts a change of the thread. @param resolvedBy null = it is open; undefined = as it was */
export const updateThread = async (db: Db, workspaceId: string, id: string, resolvedBy?: string | null):
Promise<void> => {
  await db.updateTable('content_thread').set({
    revision: next('revision'),
    updated_at: now,
    ...(resolvedBy !== undefined && { resolved_by: resolvedBy, resolved_at: resolvedBy === null ? null : now })
  }).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** @returns the comments of these threads, the oldest first */
export const listComments = (db: Db, workspaceId: string, threadIds: readonly string[]) =>
  db.selectFrom('content_comment')
    .select(['id', 'thread_id', 'author', 'text', 'created_at', 'edited_at', 'deleted_at'])
    .where('workspace_id', '=', workspaceId).where('thread_id', '=', anyOf(threadIds))
    .orderBy('thread_id').orderBy(sql`id`).execute()

export type CommentRow = Awaited<ReturnType<typeof listComments>>[number]

export const findComment = (db: Db, workspaceId: string, threadId: string, id: string) =>
  db.selectFrom('content_comment').select(['author', 'deleted_at']).where('workspace_id', '=', workspaceId)
    .where('thread_id', '=', threadId).where('id', '=', id).executeTakeFirst()

export const editComment = async (db: Db, workspaceId: string, threadId: string, id: string, text: string):
Promise<void> => {
  await db.updateTable('content_comment').set({ text, edited_at: now }).where('workspace_id', '=', workspaceId)
    .where('thread_id', '=', threadId).where('id', '=', id).execute()
}

/** Its text is gone; that there was one stays until `deleteTrailing`. */
export const deleteComment = async (db: Db, workspaceId: string, threadId: string, id: string): Promise<void> => {
  await db.updateTable('content_comment').set({ text: '', deleted_at: now }).where('workspace_id', '=', workspaceId)
    .where('thread_id', '=', threadId).where('id', '=', id).execute()
}

/** Removes the deleted comments of a thread behind which no other follows. */
export const deleteTrailing = async (db: Db, workspaceId: string, threadId: string): Promise<void> => {
  await db.deleteFrom('content_comment').where('workspace_id', '=', workspaceId).where('thread_id', '=', threadId)
    .where('deleted_at', 'is not', null)
    .where(sql<boolean>`not exists (select from content_comment later where later.workspace_id = ${workspaceId}
      and later.thread_id = ${threadId} and later.deleted_at is null and later.id > content_comment.id)`).execute()
}

export const deleteThread = async (db: Db, workspaceId: string, id: string): Promise<void> => {
  await db.deleteFrom('content_thread').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}
