import { sql } from 'kysely'
import { now, nowPlus } from '../clock.js'
import { next } from '../columns.js'
import type { Db } from '../index.js'

const columns = ['workspace_id', 'id', 'user_id', 'host', 'account_id', 'login', 'state', 'joined_by', 'access_token',
  'refresh_token', 'scope', 'expires_at', 'generation', 'connected_at'] as const

/** `due`: 80 % of the token's life are over; `dead`: all of it; `leased`: a refresh runs, or has just failed. */
const withTimes = (db: Db) =>
  db.selectFrom('codehost_identity').select(columns)
    .select(sql<boolean>`coalesce(refresh_at <= now(), false)`.as('due'))
    .select(sql<boolean>`coalesce(expires_at <= now(), false)`.as('dead'))
    .select(sql<boolean>`coalesce(lease_until > now(), false)`.as('leased'))

export const findGrant = (db: Db, workspaceId: string, host: string, userId: string) =>
  withTimes(db).where('workspace_id', '=', workspaceId).where('host', '=', host).where('user_id', '=', userId)
    .executeTakeFirst()

export type GrantRow = NonNullable<Awaited<ReturnType<typeof findGrant>>>

export interface EncryptedTokens {
  access_token: Buffer
  refresh_token: Buffer | null
  scope: string
  /** Seconds; null = it does not expire. */
  expires_in: number | null
}

const inSeconds = (seconds: number | null, share: number) =>
  seconds === null ? null : nowPlus(seconds * share)

/** The share of a token's life after which it is renewed. */
const refreshShare = 0.8

/**
 * Writes the tokens of a grant.
 * @param generation replaces the tokens of this generation only; undefined = any
 * @returns whether they were written
 */
export const storeTokens = async (db: Db, workspaceId: string, id: string, tokens: EncryptedTokens,
  generation?: number): Promise<boolean> => {
  const { expires_in: seconds, ...encrypted } = tokens
  const stored = await db.updateTable('codehost_identity')
    .set({
      ...encrypted,
      state: 'active',
      expires_at: inSeconds(seconds, 1),
      refresh_at: inSeconds(seconds, refreshShare),
      generation: next('generation'),
      lease_until: null,
      updated_at: now,
      ...(generation === undefined ? { connected_at: now } : {})
    })
    .where('workspace_id', '=', workspaceId).where('id', '=', id)
    .$if(generation !== undefined, (query) => query.where('generation', '=', generation ?? 0))
    .returning('id').executeTakeFirst()
  return stored !== undefined
}

const atGeneration = (workspaceId: string, id: string, generation: number) =>
  sql<boolean>`workspace_id = ${workspaceId} and id = ${id} and generation = ${generation}`

/**
 * Leases the right to refresh these tokens for so many seconds. The row is locked only for this write, not during the
 * request to the code host: that would hold a connection to the database.
 * @returns whether the lease was taken; false when the tokens have changed, or another process refreshes them
 */
export const takeLease = async (db: Db, workspaceId: string, id: string, generation: number, seconds: number):
Promise<boolean> =>
  await db.updateTable('codehost_identity')
    .set({ lease_until: nowPlus(seconds) })
    .where(atGeneration(workspaceId, id, generation)).where('state', '=', 'active')
    .where(sql<boolean>`(lease_until is null or lease_until <= now())`)
    .returning('id').executeTakeFirst() !== undefined

/** Releases the lease. @param seconds before the next attempt; 0 = at once */
export const returnLease = async (db: Db, workspaceId: string, id: string, generation: number, seconds: number) => {
  await db.updateTable('codehost_identity')
    .set({ lease_until: nowPlus(seconds) })
    .where(atGeneration(workspaceId, id, generation)).execute()
}

/** The code host refuses these tokens for good. Newer tokens are left alone. */
export const markRefused = async (db: Db, workspaceId: string, id: string, generation: number): Promise<void> => {
  await db.updateTable('codehost_identity')
    .set({ state: 'needs_reauth', lease_until: null, updated_at: now })
    .where(atGeneration(workspaceId, id, generation)).where('state', '=', 'active').execute()
}

/** Deletes tokens that no key can decrypt any more: their owners connect again. */
export const forgetTokens = async (db: Db, workspaceId: string, id: string): Promise<void> => {
  await db.updateTable('codehost_identity')
    .set({ state: 'needs_reauth', access_token: null, refresh_token: null, generation: next('generation') })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/**
 * Deletes tokens that the code host refuses, and the rights that were read with them. The person connects again; a
 * connection that is newer is kept.
 * @returns whether anything was deleted
 */
export const dropRefused = async (trx: Db, workspaceId: string, id: string): Promise<boolean> => {
  const row = await trx.updateTable('codehost_identity')
    .set({
      access_token: null,
      refresh_token: null,
      scope: '',
      expires_at: null,
      refresh_at: null,
      generation: next('generation'),
      updated_at: now
    })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where('state', '=', 'needs_reauth')
    .where('access_token', 'is not', null).returning('user_id').executeTakeFirst()
  if (!row) return false
  await trx.deleteFrom('codehost_repository_access')
    .where('workspace_id', '=', workspaceId).where('user_id', '=', row.user_id).execute()
  return true
}

/**
 * Ends a person's connection, and deletes the rights that were read with it. A person who joined by signing in with
 * the account keeps the identity; one who linked it while signed in loses it.
 * @returns the row as it was; undefined where nothing was connected
 */
export const endConnection = async (trx: Db, workspaceId: string, host: string, userId: string):
Promise<GrantRow | undefined> => {
  const row = await withTimes(trx).where('workspace_id', '=', workspaceId).where('host', '=', host)
    .where('user_id', '=', userId).where('state', '<>', 'disconnected').forUpdate().executeTakeFirst()
  if (!row) return undefined
  await trx.deleteFrom('codehost_repository_access')
    .where('workspace_id', '=', workspaceId).where('user_id', '=', userId).execute()
  await (row.joined_by === 'link'
    ? trx.deleteFrom('codehost_identity').where('workspace_id', '=', workspaceId).where('id', '=', row.id).execute()
    : empty(trx, row))
  return row
}

const empty = (trx: Db, row: GrantRow) => trx.updateTable('codehost_identity')
  .set({
    state: 'disconnected',
    access_token: null,
    refresh_token: null,
    scope: '',
    expires_at: null,
    refresh_at: null,
    lease_until: null,
    connected_at: null,
    generation: row.generation + 1,
    updated_at: now
  })
  .where('workspace_id', '=', row.workspace_id).where('id', '=', row.id).execute()
