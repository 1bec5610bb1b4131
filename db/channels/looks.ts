import { sql } from 'kysely'
import { clock } from '../clock.js'
import type { Db } from '../index.js'
import { sweep } from '../workers.js'

const isDue = sql<boolean>`claimed_at < statement_timestamp() - interval '4 seconds'`

/** @returns workspaces in which events are to be looked for */
export const listToLook = async (db: Db): Promise<string[]> => (await sweep(db, (reach) =>
  db.selectFrom('channel_look').select('workspace_id').where(reach(isDue)).execute()))
  .map(({ workspace_id: id }) => id)

/** One process looks at a time. @returns since when; undefined when another one does */
export const claimLook = async (db: Db, workspaceId: string, always = false):
Promise<{ since: Date, at: Date } | undefined> => {
  const row = await db.updateTable('channel_look').set({ claimed_at: clock })
    .where('workspace_id', '=', workspaceId).$if(!always, (query) => query.where(isDue))
    .returning(['looked_at', 'claimed_at']).executeTakeFirst()
  return row && { since: row.looked_at, at: row.claimed_at }
}

export const settleLook = async (db: Db, workspaceId: string, at: Date): Promise<void> => {
  await db.updateTable('channel_look').set({ looked_at: at }).where('workspace_id', '=', workspaceId).execute()
}
