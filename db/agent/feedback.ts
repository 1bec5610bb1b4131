import { v7 as uuid } from 'uuid'
import type { Feedback } from '../../schemas/agent/feedback.js'
import { excluded } from '../columns.js'
import type { Slice } from '../filters.js'
import type { Db } from '../index.js'

/** @returns whether the assistant's message is in a session of the person */
export const isAnswerTo = async (db: Db, workspaceId: string, userId: string, sessionId: string, messageId: string):
Promise<boolean> =>
  await db.selectFrom('agent_message as m')
    .innerJoin('agent_session as s', (join) => join
      .onRef('s.workspace_id', '=', 'm.workspace_id').onRef('s.id', '=', 'm.session_id'))
    .select('m.id')
    .where('m.workspace_id', '=', workspaceId).where('m.session_id', '=', sessionId).where('m.id', '=', messageId)
    .where('m.role', '=', 'assistant').where('s.user_id', '=', userId).where('s.deleted_at', 'is', null)
    .executeTakeFirst() !== undefined

/** The last word on a message counts. */
export const saveFeedback = async (db: Db, workspaceId: string, sessionId: string, messageId: string,
  { rating, comment = null }: Feedback): Promise<void> => {
  await db.insertInto('agent_feedback')
    .values({ workspace_id: workspaceId, id: uuid(), session_id: sessionId, message_id: messageId, rating, comment })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'session_id', 'message_id'])
      .doUpdateSet({ rating: excluded('rating'), comment: excluded('comment'), updated_at: excluded('updated_at') }))
    .execute()
}

export const deleteFeedback = async (db: Db, workspaceId: string, sessionId: string, messageId: string):
Promise<void> => {
  await db.deleteFrom('agent_feedback').where('workspace_id', '=', workspaceId)
    .where('session_id', '=', sessionId).where('message_id', '=', messageId).execute()
}

/** @returns what was thought of the messages */
export const listFeedbackOn = (db: Db, workspaceId: string, sessionId: string, messageIds: string[]) =>
  messageIds.length === 0
    ? Promise.resolve([])
    : db.selectFrom('agent_feedback').select(['message_id', 'rating', 'comment'])
      .where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId)
      .where('message_id', 'in', messageIds).execute()

/** @returns the feedback of the workspace, newest first, with the model that answered */
export const listFeedback = (db: Db, workspaceId: string, { before, limit }: Slice) =>
  db.selectFrom('agent_feedback as f')
    .innerJoin('agent_session as s', (join) => join
      .onRef('s.workspace_id', '=', 'f.workspace_id').onRef('s.id', '=', 'f.session_id'))
    .select(['f.id', 's.user_id', 'f.session_id', 'f.message_id', 's.model', 'f.rating', 'f.comment', 'f.created_at',
      'f.updated_at'])
    .where('f.workspace_id', '=', workspaceId)
    .$if(before !== undefined, (query) => query.where('f.id', '<', String(before)))
    .orderBy('f.id', 'desc').limit(limit).execute()
