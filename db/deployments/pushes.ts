import { sql } from 'kysely'
import type { Db } from '../index.js'
import type { StoredRefusedPush } from './tables.js'

/** Keeps why the last push built nothing. Its time is the database's. */
export const recordRefusedPush = async (db: Db, workspaceId: string, appId: string,
  { commit, code, detail }: Omit<StoredRefusedPush, 'at'>): Promise<void> => {
  const refused_push = sql<string>`json_build_object(
    'commit', ${commit}::text, 'code', ${code}::text, 'detail', ${detail}::text, 'at', now())`
  await db.updateTable('deployment_app').set({ refused_push })
    .where('workspace_id', '=', workspaceId).where('id', '=', appId).execute()
}

export const clearRefusedPush = async (db: Db, workspaceId: string, appId: string): Promise<void> => {
  await db.updateTable('deployment_app').set({ refused_push: null })
    .where('workspace_id', '=', workspaceId).where('id', '=', appId).where('refused_push', 'is not', null).execute()
}
