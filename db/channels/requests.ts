import { sql } from 'kysely'
import type { Db } from '../index.js'

/** Takes a signed request. @returns whether it is new */
export const takeRequest = async (db: Db, workspaceId: string, signature: string): Promise<boolean> => {
  const { numInsertedOrUpdatedRows: rows } = await db.insertInto('channel_request')
    .values({ workspace_id: workspaceId, signature }).onConflict((conflict) => conflict.doNothing()).executeTakeFirst()
  return rows !== undefined && rows > 0n
}

/** Their signatures have long expired. */
export const deleteOldRequests = async (db: Db, workspaceId: string): Promise<void> => {
  await db.deleteFrom('channel_request').where('workspace_id', '=', workspaceId)
    .where('created_at', '<', sql<Date>`now() - interval '1 hour'`).execute()
}
