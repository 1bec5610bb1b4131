import {
  deleteComment, deleteThread, deleteTrailing, editComment, findComment, listComments, updateThread
} from '../../../../db/content/threads.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { ContentThread } from '../../../../schemas/content/comments.js'
import { NotFound, NotOwner } from '../../../../schemas/errors.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { lockNamed, readThread, type Named } from './comment.js'

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
