import { sql } from 'kysely'
import { ago, now, nowPlus, setOnce } from '../clock.js'
import type { Db } from '../index.js'
import { lockText } from '../statement.js'
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

/** `address` is a network. */
interface NewClient { id: string, metadata: Buffer, address: string }

export interface RegistrationLimits {
  all: number
  /** Of one network. */
  hourly: number
  /** Of networks that begin alike. */
  site?: { prefix: string, hourly: number } | undefined
}

/** Who registered and was let in by nobody in a day is forgotten; who was let in, when nobody used it for so long. */
const deleteUnused = (db: Db, home: string) => db.deleteFrom('account_oauth_client').where('workspace_id', '=', home)
  .where(sql<boolean>`(used_at < ${ago('100 days')} or (used_at is null and created_at < ${ago('1 day')}))`).execute()

const countIn = async (trx: Db, home: string, address: string, prefix: string) => trx.selectFrom('account_oauth_client')
  .select(sql<number>`count(*)`.as('all'))
  .select(sql<number>`count(*) filter (where address = ${address} and created_at > ${ago('1 hour')})`.as('hourly'))
  .select(sql<number>`count(*) filter (where starts_with(address, ${prefix}) and created_at > ${ago('1 hour')})`
    .as('site'))
  .where('workspace_id', '=', home).executeTakeFirstOrThrow()

/** Whoever was let in by nobody yet gives way. @returns whether there was one */
const deleteOldestUnused = async (trx: Db, home: string): Promise<boolean> => {
  const oldest = await trx.selectFrom('account_oauth_client').select('id').where('workspace_id', '=', home)
    .where('used_at', 'is', null).orderBy('created_at').limit(1).executeTakeFirst()
  if (oldest) await deleteClient(trx, home, oldest.id)
  return oldest !== undefined
}

/** Registrations are rows of the installation's first workspace. @returns whether the limits left room for it */
export const insertClient = (db: Db, home: string, client: NewClient, limits: RegistrationLimits): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    await lockText(trx, 'account_oauth_client')
    await deleteUnused(trx, home)
    const { site } = limits
    const found = await countIn(trx, home, client.address, site?.prefix ?? client.address)
    if (found.hourly >= limits.hourly || (site && found.site >= site.hourly)) return false
    if (found.all >= limits.all && !await deleteOldestUnused(trx, home)) return false
    await trx.insertInto('account_oauth_client').values({ workspace_id: home, ...client }).execute()
    return true
  })

export const findClient = (db: Db, home: string, id: string) =>
  db.selectFrom('account_oauth_client').select('metadata')
    .where('workspace_id', '=', home).where('id', '=', id).executeTakeFirst()

/** Counts as used once a day. */
export const touchClient = async (db: Db, home: string, id: string): Promise<void> => {
  await db.updateTable('account_oauth_client').set({ used_at: now }).where('workspace_id', '=', home)
    .where('id', '=', id).where(sql<boolean>`(used_at is null or used_at < ${ago('1 day')})`).execute()
}

/** Nothing can read its metadata any more: it registers again. */
export const deleteClient = async (db: Db, home: string, id: string): Promise<void> => {
  await db.deleteFrom('account_oauth_client').where('workspace_id', '=', home).where('id', '=', id).execute()
}

export const deleteUnusedClients = async (db: Db, home: string): Promise<void> => { await deleteUnused(db, home) }
