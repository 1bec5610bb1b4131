import type { Db } from './index.js'

/** @returns whether the person has connected an account of the code host, by which they may sign in */
export const hasCodehostIdentity = async (db: Db, workspaceId: string, userId: string): Promise<boolean> =>
  await db.selectFrom('codehost_identity').select('id').where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId).where('state', '<>', 'disconnected').limit(1).executeTakeFirst() !== undefined
