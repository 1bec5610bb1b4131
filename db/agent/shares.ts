import type { Slice } from '../filters.js'
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
