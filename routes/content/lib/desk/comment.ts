import { lockContent, type ContentRow } from '../../../../db/content/contents.js'
import {
  countComments, countThreads, findThread, insertComment, insertThread, lockThread, updateThread
} from '../../../../db/content/threads.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { AddComment, CommentPassage, ContentThread } from '../../../../schemas/content/comments.js'
import type { ContentBody } from 'steward-prose-engine/schemas'
import { NotFound } from '../../../../schemas/errors.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { ContentArchived } from '../errors.js'
import { requireContent, requireVersion } from '../texts/find-content.js'
import { readText } from '../text/read-text.js'
import { type Anchor, bestOf, fieldText, occurrences, quoteAt, type Range } from 'steward-prose-engine/revision'
import { describeThreads } from './describe-thread.js'
import { CommentsFull, PassageAmbiguous, PassageNotFound } from './errors.js'

/** Each is followed at every edit. */
const maxThreads = 500
const maxComments = 200

/** @returns where the words are. @throws passage_not_found, passage_ambiguous */
export const requirePassage = (body: ContentBody, passage: CommentPassage): Range => {
  const { field, exact, prefix = '', suffix = '', start: at } = passage
  const found = occurrences(fieldText(body, field) ?? '', { exact, prefix, suffix })
  const named = found.find(({ start }) => start === at)
  if (named) return named
  const best = found.length === 0 ? [] : bestOf(found)
  if (best.length > 1) {
    throw PassageAmbiguous(`They occur ${best.length} times: say where, by start or by more of prefix and suffix`,
      { starts: best.slice(0, 50).map(({ start }) => start) })
  }
  if (!best[0]) throw PassageNotFound(`${field} does not have them in that version`)
  return best[0]
}

const requireOpen = ({ status }: ContentRow): void => {
  if (status === 'archived') throw ContentArchived('Restore it before it is commented on')
}

const lockOpen = async (trx: Db, workspaceId: string, id: string): Promise<ContentRow> => {
  const row = await lockContent(trx, workspaceId, id)
  if (!row) throw NotFound()
  requireOpen(row)
  return row
}

/** @returns where a passage of an earlier version is in the newest one */
const anchorInHead = async (made: ContentBody, head: ContentBody, anchor: Anchor, quote: ReturnType<typeof quoteAt>):
Promise<Anchor | null> => {
  const [found] = await readText('followPassages', made, head, [{ id: '', quote, made: anchor, last: anchor }])
  return found?.anchor ?? null
}

/** @returns the thread as it is by now. @throws not_found */
export const readThread = async (db: Db, workspaceId: string, contentId: string, id: string):
Promise<ContentThread> => {
  const content = await requireContent(db, workspaceId, contentId)
  const row = await findThread(db, workspaceId, contentId, id)
  if (!row) throw NotFound()
  const head = await requireVersion(db, workspaceId, contentId, content.head_version)
  const [thread] = await describeThreads(db, workspaceId, [row], head)
  if (!thread) throw NotFound()
  return thread
}

/**
 * Begins a thread on a passage of a version; meanwhile the text may have moved on.
 * @throws not_found, content_archived, passage_not_found, passage_ambiguous, comments_full
 */
export const addThread = async (db: Db, { workspace_id: workspaceId, user_id: author }: Principal, contentId: string,
  { text, passage }: AddComment): Promise<ContentThread> => {
  const id = await db.transaction().execute(async (trx) => {
    const row = await lockOpen(trx, workspaceId, contentId)
    if (await countThreads(trx, workspaceId, contentId) >= maxThreads) throw CommentsFull()
    const version = passage.version ?? row.head_version
    const { body } = await requireVersion(trx, workspaceId, contentId, version)
    const range = requirePassage(body, passage)
    const made = { field: passage.field, start: range.start, end: range.end }
    const quote = quoteAt(fieldText(body, passage.field) ?? '', range)
    const newest = await requireVersion(trx, workspaceId, contentId, row.head_version)
    const head = version === newest.version ? made : await anchorInHead(body, newest.body, made, quote)
    const thread = await insertThread(trx, workspaceId, {
      content_id: contentId,
      version,
      field: made.field,
      ...quote,
      start_at: made.start,
      end_at: made.end,
      created_by: author
    }, head)
    await insertComment(trx, workspaceId, thread, author, text)
    return thread
  })
  return readThread(db, workspaceId, contentId, id)
}

export interface Named { content_id: string, comment_id: string }

/** Locks the thread of a record that may be commented on. */
export const lockNamed = async (trx: Db, workspaceId: string, { content_id: contentId, comment_id: id }: Named) => {
  requireOpen(await requireContent(trx, workspaceId, contentId))
  const row = await lockThread(trx, workspaceId, contentId, id)
  if (!row) throw NotFound()
  return row
}

/** @throws not_found, content_archived, comments_full */
export const reply = async (db: Db, { workspace_id: workspaceId, user_id: author }: Principal, named: Named,
  text: string): Promise<ContentThread> => {
  await db.transaction().execute(async (trx) => {
    const { id } = await lockNamed(trx, workspaceId, named)
    if (await countComments(trx, workspaceId, id) >= maxComments) throw CommentsFull('Begin another thread')
    await insertComment(trx, workspaceId, id, author, text)
    await updateThread(trx, workspaceId, id)
  })
  return readThread(db, workspaceId, named.content_id, named.comment_id)
}

/** Settles a thread, or opens it again. @throws not_found, content_archived, stale_revision */
export const resolve = async (db: Db, { workspace_id: workspaceId, user_id: by }: Principal, named: Named,
  resolved: boolean, revisions?: number[]): Promise<ContentThread> => {
  await db.transaction().execute(async (trx) => {
    const row = await lockNamed(trx, workspaceId, named)
    if (revisions && !revisions.includes(row.revision)) throw explainMiss(row)
    if ((row.resolved_at !== null) !== resolved) await updateThread(trx, workspaceId, row.id, resolved ? by : null)
  })
  return readThread(db, workspaceId, named.content_id, named.comment_id)
}
