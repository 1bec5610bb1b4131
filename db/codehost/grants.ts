import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Db } from '../index.js'
import type { CodehostIdentityTable } from './tables.js'

const columns = ['workspace_id', 'id', 'user_id', 'host', 'account_id', 'login', 'state', 'joined_by', 'access_token',
  'refresh_token', 'scope', 'expires_at', 'generation', 'connected_at'] as const

/** `due`: 80 % of the token's life are over; `dead`: all of it; `leased`: somebody refreshes, or just failed to. */
const withTimes = (db: Db) =>
  db.selectFrom('codehost_identity').select(columns)
    .select(sql<boolean>`coalesce(refresh_at <= now(), false)`.as('due'))
    .select(sql<boolean>`coalesce(expires_at <= now(), false)`.as('dead'))
    .select(sql<boolean>`coalesce(lease_until > now(), false)`.as('leased'))

export const findGrant = (db: Db, workspaceId: string, host: string, userId: string) =>
  withTimes(db).where('workspace_id', '=', workspaceId).where('host', '=', host).where('user_id', '=', userId)
    .executeTakeFirst()

export type GrantRow = NonNullable<Awaited<ReturnType<typeof findGrant>>>

export type NewIdentity = Pick<CodehostIdentityTable,
  'workspace_id' | 'user_id' | 'host' | 'account_id' | 'login' | 'joined_by'>

/** @returns the row's id; undefined where the user, or the code host's account, has a row already */
export const insertIdentity = async (db: Db, identity: NewIdentity): Promise<string | undefined> => {
  const made = await db.insertInto('codehost_identity').values({ ...identity, id: uuid(), state: 'disconnected' })
    .onConflict((conflict) => conflict.doNothing()).returning('id').executeTakeFirst()
  return made?.id
}

export interface SealedTokens {
  access_token: Buffer
  refresh_token: Buffer | null
  scope: string
  /** Seconds; null = it does not expire. */
  expires_in: number | null
}

const inSeconds = (seconds: number | null, share: number) =>
  seconds === null ? null : sql<Date>`now() + make_interval(secs => ${seconds * share})`

/** The share of a token's life after which it is renewed. */
const refreshShare = 0.8

/**
 * Writes the tokens of a grant.
 * @param generation only over this one's tokens; undefined = over whatever there is
 * @returns whether they were written
 */
export const storeTokens = async (db: Db, workspaceId: string, id: string, tokens: SealedTokens,
  generation?: number): Promise<boolean> => {
  const { expires_in: seconds, ...sealed } = tokens
  const stored = await db.updateTable('codehost_identity')
    .set({
      ...sealed,
      state: 'active',
      expires_at: inSeconds(seconds, 1),
      refresh_at: inSeconds(seconds, refreshShare),
      generation: sql<number>`generation + 1`,
      lease_until: null,
      updated_at: sql<Date>`now()`,
      ...(generation === undefined ? { connected_at: sql<Date>`now()` } : {})
    })
    .where('workspace_id', '=', workspaceId).where('id', '=', id)
    .$if(generation !== undefined, (query) => query.where('generation', '=', generation ?? 0))
    .returning('id').executeTakeFirst()
  return stored !== undefined
}
