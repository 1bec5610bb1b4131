import { v7 as uuid } from 'uuid'
import type { Feedback } from '../../schemas/agent/sessions.js'
import { excluded, type Slice } from '../columns.js'
import type { Db } from '../index.js'

/** Shows a session to everyone in the workspace; again changes nothing. */
export const addShare = async (db: Db, workspaceId: string, sessionId: string): Promise<void> => {
  await db.insertInto('agent_share').values({ workspace_id: workspaceId, session_id: sessionId })
    .onConflict((conflict) => conflict.doNothing()).execute()
}

export const deleteShare = async (db: Db, workspaceId: string, sessionId: string): Promise<void> => {
  await db.deleteFrom('agent_share')
    .where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId).execute()
}

const shared = (db: Db, workspaceId: string) => db
  .selectFrom('agent_share as a')
  .innerJoin('agent_session as s', (join) => join
    .onRef('s.workspace_id', '=', 'a.workspace_id').onRef('s.id', '=', 'a.session_id'))
  .select(['s.id', 's.title', 's.user_id', 's.created_at', 's.last_activity_at', 'a.created_at as shared_at'])
  .where('a.workspace_id', '=', workspaceId)
  .where('s.deleted_at', 'is', null)

export type SharedRow = NonNullable<Awaited<ReturnType<typeof findShared>>>

/** @returns a session that its owner shares */
export const findShared = (db: Db, workspaceId: string, id: string) =>
  shared(db, workspaceId).where('a.session_id', '=', id).executeTakeFirst()

/** @returns what people of the workspace share, the newest sessions first */
export const listShared = (db: Db, workspaceId: string, { before, limit }: Slice) =>
  shared(db, workspaceId)
    .$if(before !== undefined, (query) => query.where('a.session_id', '<', String(before)))
    .orderBy('a.session_id', 'desc').limit(limit).execute()

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
