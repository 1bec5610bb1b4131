import type { Db } from '../index.js'

/** @returns whether the API token has been revoked since; one that is gone counts as revoked */
export const isTokenRevoked = async (db: Db, workspaceId: string, id: string): Promise<boolean> => {
  const token = await db.selectFrom('account_token').select('revoked_at')
    .where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()
  return token === undefined || token.revoked_at !== null
}
