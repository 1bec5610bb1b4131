import { sql } from 'kysely'
import { now, nowPlus } from '../clock.js'
import { anyOf } from '../filters.js'
import type { Db } from '../index.js'
import type { Role } from '../types.js'

export interface TokenOwner {
  workspace_id: string
  token_id: string
  user_id: string
  name: string
  role: Role
  user_status: 'active' | 'disabled'
  scopes: string[]
  assistant: boolean
  revoked: boolean
  expired: boolean
  stale: boolean
}

/** @returns the token with this hash and its owner; `stale` means its last use is older than a minute */
export const findTokenOwner = (db: Db, hash: Buffer): Promise<TokenOwner | undefined> =>
  db.selectFrom('account_token as token')
    .innerJoin('account_user as user', (join) => join
      .onRef('user.workspace_id', '=', 'token.workspace_id').onRef('user.id', '=', 'token.user_id'))
    .select(['token.workspace_id', 'token.id as token_id', 'token.user_id', 'token.scopes', 'token.assistant',
      'user.name', 'user.role', 'user.status as user_status'])
    .select(sql<boolean>`token.revoked_at is not null`.as('revoked'))
    .select(sql<boolean>`token.expires_at <= now()`.as('expired'))
    .select(sql<boolean>`coalesce(token.last_used_at < now() - interval '1 minute', true)`.as('stale'))
    .where('token.hash', '=', hash)
    .executeTakeFirst()

export const touchToken = (db: Db, workspaceId: string, id: string) =>
  db.updateTable('account_token').set({ last_used_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

export interface SessionOwner {
  workspace_id: string
  session_id: string
  user_id: string
  name: string
  role: Role
  user_status: 'active' | 'disabled'
  live: boolean
  stale: boolean
}

/** @returns the browser session with this hash and its owner */
export const findSessionOwner = (db: Db, hash: Buffer): Promise<SessionOwner | undefined> =>
  db.selectFrom('account_session as session')
    .innerJoin('account_user as user', (join) => join
      .onRef('user.workspace_id', '=', 'session.workspace_id').onRef('user.id', '=', 'session.user_id'))
    .select(['session.workspace_id', 'session.id as session_id', 'session.user_id', 'user.name', 'user.role',
      'user.status as user_status'])
    .select(sql<boolean>`session.ended_at is null and session.expires_at > now() and session.idle_expires_at > now()`
      .as('live'))
    .select(sql<boolean>`session.last_used_at < now() - interval '1 minute'`.as('stale'))
    .where('session.hash', '=', hash)
    .executeTakeFirst()

/** Moves the idle expiry on; called at most once a minute for one session. */
export const touchSession = (db: Db, workspaceId: string, id: string, idleSeconds: number) =>
  db.updateTable('account_session')
    .set({ last_used_at: now, idle_expires_at: nowPlus(idleSeconds) })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

/** @returns the person as they are now: a role may have changed since a run began */
export const findPerson = (db: Db, workspaceId: string, userId: string) =>
  db.selectFrom('account_user').select(['id', 'name', 'role', 'status'])
    .where('workspace_id', '=', workspaceId).where('id', '=', userId).executeTakeFirst()

export type TokenStatus = 'active' | 'revoked' | 'expired'

/** @returns what a token of the workspace still allows; one that is not there counts as revoked */
export const findTokenStatus = async (db: Db, workspaceId: string, tokenId: string): Promise<TokenStatus> => {
  const token = await db.selectFrom('account_token')
    .select(['revoked_at', sql<boolean>`expires_at <= now()`.as('expired')])
    .where('workspace_id', '=', workspaceId).where('id', '=', tokenId).executeTakeFirst()
  if (!token || token.revoked_at !== null) return 'revoked'
  return token.expired ? 'expired' : 'active'
}

/** @returns of these tokens and browser sessions, the ids of those that allow nothing any more */
export const listDeadCredentials = async (db: Db, tokenIds: string[], sessionIds: string[]): Promise<string[]> => {
  if (tokenIds.length + sessionIds.length === 0) return []
  const tokens = db.selectFrom('account_token as t')
    .innerJoin('account_user as u', (join) => join
      .onRef('u.workspace_id', '=', 't.workspace_id').onRef('u.id', '=', 't.user_id'))
    .select('t.id').where('t.id', '=', anyOf(tokenIds))
    .where(({ eb, or }) => or([
      eb('t.revoked_at', 'is not', null), eb('t.expires_at', '<=', now), eb('u.status', '<>', 'active')
    ]))
  const sessions = db.selectFrom('account_session as s')
    .innerJoin('account_user as u', (join) => join
      .onRef('u.workspace_id', '=', 's.workspace_id').onRef('u.id', '=', 's.user_id'))
    .select('s.id').where('s.id', '=', anyOf(sessionIds))
    .where(({ eb, or }) => or([
      eb('s.ended_at', 'is not', null), eb('s.expires_at', '<=', now), eb('u.status', '<>', 'active')
    ]))
  return (await tokens.unionAll(sessions).execute()).map(({ id }) => id)
}

/** @returns whether the API token has been revoked since; one that is gone counts as revoked */
export const isTokenRevoked = async (db: Db, workspaceId: string, id: string): Promise<boolean> => {
  const token = await db.selectFrom('account_token').select('revoked_at')
    .where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()
  return token === undefined || token.revoked_at !== null
}
