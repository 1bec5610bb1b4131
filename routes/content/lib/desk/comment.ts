import type { ContentBody } from 'steward-prose-engine/schemas'
import { type Anchor, bestOf, fieldText, occurrences, quoteAt, type Range } from 'steward-prose-engine/revision'
import { lockContent, type ContentRow } from '../../../../db/content/contents.js'
import {
  countComments, countThreads, findThread, insertComment, insertThread, lockThread, updateThread, listComments,
  type CommentRow, type ThreadRow, deleteComment, deleteThread, deleteTrailing, editComment, findComment
} from '../../../../db/content/threads.js'
import type { Db } from '../../../../db/index.js'
import { listNames } from '../../../../lib/account/people.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { PersonName } from '../../../../schemas/account/users.js'
import type { AddComment, CommentPassage, ContentThread } from '../../../../schemas/content/comments.js'
import { NotFound, defineError, NotOwner } from '../../../../schemas/errors.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { ContentArchived } from '../errors.js'
import { readText } from '../text/read-text.js'
import { requireContent, requireVersion } from '../texts/find-content.js'

export type NameOf = (id: string) => PersonName

/** @returns the names of people; those who have left the workspace are without one */
export const namesOf = async (db: Db, workspaceId: string, ids: readonly (string | null)[]): Promise<NameOf> => {
  const known = [...new Set(ids)].filter((id) => id !== null)
  const names = known.length === 0 ? new Map<string, string>() : await listNames(db, workspaceId, known)
  return (id) => ({ id, name: names.get(id) ?? 'Somebody who has left' })
}

/** @returns where the passage is in the newest version; null = it is gone */
export const anchorOf = ({ anchor_field: field, anchor_start: start, anchor_end: end }: ThreadRow): Anchor | null =>
  field === null || start === null || end === null ? null : { field, start, end }

export interface Head { version: number, body: ContentBody }

const describe = (row: ThreadRow, comments: readonly CommentRow[], head: Head, nameOf: NameOf): ContentThread => {
  const anchor = anchorOf(row)
  const exact = anchor && (fieldText(head.body, anchor.field) ?? '').slice(anchor.start, anchor.end)
  return {
    id: row.id,
    content_id: row.content_id,
    status: row.resolved_at === null ? 'open' : 'resolved',
    version: row.version,
    field: row.field,
    quote: { type: 'TextQuoteSelector', exact: row.exact, prefix: row.prefix, suffix: row.suffix },
    position: { type: 'TextPositionSelector', start: row.start_at, end: row.end_at },
    passage: exact === null ? 'gone' : exact === row.exact ? 'same' : 'changed',
    anchor: anchor && { version: head.version, ...anchor, exact: exact ?? '' },
    comments: comments.map(({ thread_id: _, author, ...comment }) => ({ ...comment, author: nameOf(author) })),
    resolved_by: row.resolved_by === null ? null : nameOf(row.resolved_by),
    resolved_at: row.resolved_at,
    revision: row.revision,
    created_at: row.created_at,
    updated_at: row.updated_at
  }
}

/** @returns the threads with their comments and the names of who wrote them */
export const describeThreads = async (db: Db, workspaceId: string, rows: readonly ThreadRow[], head: Head):
Promise<ContentThread[]> => {
  const comments = rows.length === 0 ? [] : await listComments(db, workspaceId, rows.map(({ id }) => id))
  const people = [...comments.map(({ author }) => author), ...rows.map(({ resolved_by: by }) => by)]
  const nameOf = await namesOf(db, workspaceId, people)
  return rows.map((row) => describe(row, comments.filter(({ thread_id: id }) => id === row.id), head, nameOf))
}

export const PassageNotFound = defineError('passage_not_found', 'The words are not in that text', 422)
export const PassageAmbiguous = defineError('passage_ambiguous', 'The words occur more than once', 422)
export const CommentsFull = defineError('comments_full', 'The record has no room for more comments', 409)
export const ReviewerNotAllowed = defineError('reviewer_not_allowed', 'The person may not approve this', 422)
export const NotReviewer = defineError('not_reviewer', 'Only the reviewer may approve this', 403)
export const TranslationCycle = defineError('translation_cycle', 'A text cannot translate its own translation', 422)
export const RepairOverwritten = defineError('repair_overwritten', 'The repaired words have changed since', 409)

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

interface Named { content_id: string, comment_id: string }

/** Locks the thread of a record that may be commented on. */
const lockNamed = async (trx: Db, workspaceId: string, { content_id: contentId, comment_id: id }: Named) => {
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

interface NamedComment extends Named { reply_id: string }

/**
 * @returns the thread of a comment that the person wrote
 * @throws not_found, content_archived, not_owner, stale_revision
 */
const lockOwn = async (trx: Db, { workspace_id: workspaceId, user_id: author }: Principal, named: NamedComment,
  revisions?: number[]) => {
  const thread = await lockNamed(trx, workspaceId, named)
  const comment = await findComment(trx, workspaceId, thread.id, named.reply_id)
  if (!comment || comment.deleted_at !== null) throw NotFound()
  if (comment.author !== author) throw NotOwner('Only who wrote a comment changes it')
  if (revisions && !revisions.includes(thread.revision)) throw explainMiss(thread)
  return thread
}

/** Changes the text of one's own comment, which says so. @throws as lockOwn */
export const edit = async (db: Db, principal: Principal, named: NamedComment, text: string,
  revisions?: number[]): Promise<ContentThread> => {
  const { workspace_id: workspaceId } = principal
  await db.transaction().execute(async (trx) => {
    const { id } = await lockOwn(trx, principal, named, revisions)
    await editComment(trx, workspaceId, id, named.reply_id, text)
    await updateThread(trx, workspaceId, id)
  })
  return readThread(db, workspaceId, named.content_id, named.comment_id)
}

/**
 * Deletes one's own comment. Where a later one answers it, who wrote it and when stays; a thread in which nothing is
 * left goes.
 * @throws as lockOwn
 */
export const remove = async (db: Db, principal: Principal, named: NamedComment, revisions?: number[]):
Promise<void> => {
  const { workspace_id: workspaceId } = principal
  await db.transaction().execute(async (trx) => {
    const { id } = await lockOwn(trx, principal, named, revisions)
    await deleteComment(trx, workspaceId, id, named.reply_id)
    await deleteTrailing(trx, workspaceId, id)
    const left = await listComments(trx, workspaceId, [id])
    await (left.length === 0 ? deleteThread(trx, workspaceId, id) : updateThread(trx, workspaceId, id))
  })
}
