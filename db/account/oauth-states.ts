import { sql } from 'kysely'
import { now, nowPlus, setOnce } from '../clock.js'
import type { Db } from '../index.js'
import { sweep } from '../workers.js'

/** Of which workspace a state is, of which model of the library, and the hash of what names it. */
export interface StateKey { workspaceId: string, model: string, hash: Buffer }

export interface NewState {
  payload: Record<string, unknown> | null
  encrypted: Buffer | null
  grant_id: string | null
  /** Its hash. */
  user_code: Buffer | null
}

/** @param seconds that it is kept */
export const putState = async (db: Db, { workspaceId, model, hash }: StateKey, state: NewState, seconds: number):
Promise<void> => {
  const values = { ...state, payload: state.payload && JSON.stringify(state.payload), expires_at: nowPlus(seconds) }
  await db.insertInto('account_oauth_state').values({ workspace_id: workspaceId, model, hash, ...values })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'model', 'hash'])
      .doUpdateSet({ ...values, expires_at: ({ ref }) => ref('excluded.expires_at') })).execute()
}

const columns = ['hash', 'payload', 'encrypted', 'consumed_at'] as const

/** @returns what is kept, whether it was consumed or not; nothing that has expired */
export const findState = (db: Db, { workspaceId, model, hash }: StateKey) =>
  db.selectFrom('account_oauth_state').select(columns).where('workspace_id', '=', workspaceId)
    .where('model', '=', model).where('hash', '=', hash).where('expires_at', '>', now).executeTakeFirst()

export const findStateOfUserCode = (db: Db, workspaceId: string, userCode: Buffer) =>
  db.selectFrom('account_oauth_state').select(columns).where('workspace_id', '=', workspaceId)
    .where('user_code', '=', userCode).where('expires_at', '>', now).executeTakeFirst()

/** @returns false when another request has consumed it */
export const consumeState = async (db: Db, { workspaceId, model, hash }: StateKey): Promise<boolean> =>
  await db.updateTable('account_oauth_state').set({ consumed_at: setOnce('consumed_at', now) })
    .where('workspace_id', '=', workspaceId).where('model', '=', model).where('hash', '=', hash)
    .where('consumed_at', 'is', null).returning('hash').executeTakeFirst() !== undefined

/** @returns whether it was consumed, and so many seconds ago at most, by the clock of the database */
export const wasConsumedWithin = async (db: Db, { workspaceId, model, hash }: StateKey, seconds: number):
Promise<boolean> => await db.selectFrom('account_oauth_state').select('hash').where('workspace_id', '=', workspaceId)
  .where('model', '=', model).where('hash', '=', hash).where('consumed_at', '>', nowPlus(-seconds))
  .executeTakeFirst() !== undefined

export const deleteState = async (db: Db, { workspaceId, model, hash }: StateKey): Promise<void> => {
  await db.deleteFrom('account_oauth_state').where('workspace_id', '=', workspaceId)
    .where('model', '=', model).where('hash', '=', hash).execute()
}

export const deleteStatesOfGrant = async (db: Db, workspaceId: string, model: string, grantId: string):
Promise<void> => {
  await db.deleteFrom('account_oauth_state').where('workspace_id', '=', workspaceId)
    .where('model', '=', model).where('grant_id', '=', grantId).execute()
}

export const deleteOldStates = async (db: Db): Promise<void> => {
  await sweep(db, (reach) =>
    db.deleteFrom('account_oauth_state').where(reach(sql`expires_at < ${now}`)).execute())
}
