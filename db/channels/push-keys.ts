import { now } from '../clock.js'
import type { Db } from '../index.js'

/** @returns the key of the installation, which is in its first workspace */
export const findPushKey = (db: Db, home: string) => db.selectFrom('channel_push_key')
  .select(['id', 'public_key', 'secret']).where('workspace_id', '=', home).where('retired_at', 'is', null)
  .executeTakeFirst()

/** Stores a key, unless another process has stored one. */
export const insertPushKey = async (db: Db, home: string, key: { id: string, public_key: string, secret: Buffer }):
Promise<void> => {
  await db.insertInto('channel_push_key').values({ workspace_id: home, ...key })
    .onConflict((conflict) => conflict.column('workspace_id').where('retired_at', 'is', null).doNothing()).execute()
}

/** Browsers that subscribed with it are not reached any more: their people add them again. */
export const retirePushKey = async (db: Db, home: string, id: string): Promise<void> => {
  await db.updateTable('channel_push_key').set({ retired_at: now, secret: null }).where('workspace_id', '=', home)
    .where('id', '=', id).execute()
}
