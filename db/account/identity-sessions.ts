import { sql, type Insertable } from 'kysely'
import { clockPlus, now, setOnce, nowPlus } from '../clock.js'
import { anyOf } from '../columns.js'
import type { Db } from '../index.js'
import type { AccountIdentityAttemptTable } from './identity-tables.js'

/** How long a person may take on the provider's pages. */
export const attemptSeconds = 600

type NewAttempt = Omit<Insertable<AccountIdentityAttemptTable>, 'expires_at' | 'created_at'>

/** Stores an attempt to sign in, and deletes the expired ones of its workspace. */
export const insertAttempt = async (db: Db, attempt: NewAttempt): Promise<void> => {
  await db.deleteFrom('account_identity_attempt').where('workspace_id', '=', attempt.workspace_id)
    .where('expires_at', '<=', now).execute()
  await db.insertInto('account_identity_attempt').values({ ...attempt, expires_at: nowPlus(attemptSeconds) }).execute()
}

/** Deletes the attempt. @returns it; undefined when it was used, is too old, of another provider or browser */
export const takeAttempt = (db: Db, workspaceId: string, providerId: string, stateHash: Buffer, bindingHash: Buffer) =>
  db.deleteFrom('account_identity_attempt')
    .where('workspace_id', '=', workspaceId).where('state_hash', '=', stateHash)
    .where('provider_id', '=', providerId).where('binding_hash', '=', bindingHash).where('expires_at', '>', now)
    .returning(['user_id', 'session_id', 'kept', 'return_to']).executeTakeFirst()

interface NewIdentitySession {
  id: string
  identity_id: string
  provider_id: string
  sid: string | null
  tokens: Buffer
}

/** Tokens behind sessions that have ended are of no use to anybody honest. */
const forgetEnded = (trx: Db, workspaceId: string) => trx.deleteFrom('account_identity_session as i')
  .where('i.workspace_id', '=', workspaceId)
  .where(({ not, exists, selectFrom }) => not(exists(selectFrom('account_session as s').select('s.id')
    .where('s.workspace_id', '=', workspaceId).whereRef('s.id', '=', 'i.id')
    .where('s.ended_at', 'is', null).where('s.expires_at', '>', now).where('s.idle_expires_at', '>', now)))).execute()

/** A provider vouches for the browser session, and is asked again in so many seconds. */
export const insertIdentitySession = async (trx: Db, workspaceId: string, session: NewIdentitySession,
  seconds: number): Promise<void> => {
  await forgetEnded(trx, workspaceId)
  await trx.insertInto('account_identity_session').values({ ...session, workspace_id: workspaceId }).execute()
  await setCheck(trx, workspaceId, session.id, seconds)
}

export const setCheck = async (db: Db, workspaceId: string, id: string, seconds: number): Promise<void> => {
  await db.updateTable('account_session').set({ check_at: clockPlus(seconds) })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** @returns whether this call is the one that asks; nobody else does for so many seconds */
export const claimCheck = async (db: Db, workspaceId: string, id: string, seconds: number): Promise<boolean> =>
  await db.updateTable('account_session').set({ check_at: clockPlus(seconds) })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where('check_at', '<=', now)
    .where('ended_at', 'is', null).returning('id').executeTakeFirst() !== undefined

export const findIdentitySession = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('account_identity_session')
    .select(['id', 'identity_id', 'provider_id', 'tokens'])
    .select(sql<number>`extract(epoch from now() - answered_at)::float8`.as('silent_seconds'))
    .where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()

/** The provider said that the person may still come in. */
export const saveAnswer = async (db: Db, workspaceId: string, id: string, tokens: Buffer, seconds: number):
Promise<void> => {
  await db.updateTable('account_identity_session').set({ tokens, answered_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
  await setCheck(db, workspaceId, id, seconds)
}

/** Ends these browser sessions and forgets the tokens behind them. @returns how many had not ended */
export const endIdentitySessions = async (trx: Db, workspaceId: string, ids: readonly string[]): Promise<number> => {
  if (ids.length === 0) return 0
  const ended = await trx.updateTable('account_session').set({ ended_at: setOnce('ended_at', now) })
    .where('workspace_id', '=', workspaceId).where('id', '=', anyOf(ids)).where('ended_at', 'is', null)
    .returning('id').execute()
  await trx.deleteFrom('account_identity_session')
    .where('workspace_id', '=', workspaceId).where('id', '=', anyOf(ids)).execute()
  return ended.length
}

export interface Whose { provider_id: string, identity_id?: string | undefined, sid?: string | undefined }

/** @returns the browser sessions that hang on the provider, on one of its people, on one of its sessions */
export const listIdentitySessions = async (db: Db, workspaceId: string, whose: Whose): Promise<string[]> =>
  (await db.selectFrom('account_identity_session').select('id')
    .where('workspace_id', '=', workspaceId).where('provider_id', '=', whose.provider_id)
    .$if(whose.identity_id !== undefined, (query) => query.where('identity_id', '=', String(whose.identity_id)))
    .$if(whose.sid !== undefined, (query) => query.where('sid', '=', String(whose.sid)))
    .execute()).map(({ id }) => id)

/** @returns whether the logout token was not taken before; those that have expired are deleted */
export const takeLogoutToken = async (trx: Db, workspaceId: string, providerId: string, jti: string, expires: Date):
Promise<boolean> => {
  await trx.deleteFrom('account_logout_token').where('workspace_id', '=', workspaceId)
    .where('expires_at', '<=', now).execute()
  const taken = await trx.insertInto('account_logout_token')
    .values({ workspace_id: workspaceId, provider_id: providerId, jti, expires_at: expires })
    .onConflict((conflict) => conflict.doNothing()).returning('jti').executeTakeFirst()
  return taken !== undefined
}

/** Without its tokens nothing can be asked: the session ends at the next look. */
export const forgetSessionTokens = async (db: Db, workspaceId: string, id: string): Promise<void> => {
  await db.updateTable('account_identity_session').set({ tokens: null })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}
