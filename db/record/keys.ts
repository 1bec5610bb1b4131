import { now } from '../clock.js'
import type { Db } from '../index.js'

/** The installation's keys are rows of its first workspace. */
const select = (db: Db, home: string) => db.selectFrom('audit_key')
  .select(['id', 'public_key', 'secret', 'created_at', 'retired_at']).where('workspace_id', '=', home)

export const listKeys = (db: Db, home: string) => select(db, home).orderBy('id').execute()

export type KeyRow = Awaited<ReturnType<typeof listKeys>>[number]

export const findCurrentKey = (db: Db, home: string): Promise<KeyRow | undefined> =>
  select(db, home).where('retired_at', 'is', null).executeTakeFirst()

/** Stores a key, unless another process has stored one. */
export const insertKey = async (db: Db, home: string, key: { id: string, public_key: string, secret: Buffer }):
Promise<void> => {
  await db.insertInto('audit_key').values({ workspace_id: home, ...key })
    .onConflict((conflict) => conflict.column('workspace_id').where('retired_at', 'is', null).doNothing()).execute()
}

/** The key signs nothing any more; what it has signed stays proved by its public half. */
export const retireKey = async (db: Db, home: string, id: string): Promise<void> => {
  await db.updateTable('audit_key').set({ retired_at: now, secret: null }).where('workspace_id', '=', home)
    .where('id', '=', id).where('retired_at', 'is', null).execute()
}
