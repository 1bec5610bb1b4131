import { sql } from 'kysely'
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
  db.updateTable('account_token').set({ last_used_at: sql`now()` })
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
    .set({ last_used_at: sql`now()`, idle_expires_at: sql`now() + make_interval(secs => ${idleSeconds})` })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

/** @returns the person as they are now: a role may have changed since a run began */
export const findPerson = (db: Db, workspaceId: string, userId: string) =>
  db.selectFrom('account_user').select(['id', 'name', 'role', 'status'])
    .where('workspace_id', '=', workspaceId).where('id', '=', userId).executeTakeFirst()

/** @returns of these tokens and browser sessions, the ids of those that allow nothing any more */
export const listDeadCredentials = async (db: Db, tokenIds: string[], sessionIds: string[]): Promise<string[]> => {
  if (tokenIds.length + sessionIds.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select t.id from account_token t join account_user u on u.workspace_id = t.workspace_id and u.id = t.user_id
    where t.id = any(${tokenIds}::uuid[])
      and (t.revoked_at is not null or t.expires_at <= now() or u.status <> 'active')
    union all
    select s.id from account_session s join account_user u on u.workspace_id = s.workspace_id and u.id = s.user_id
    where s.id = any(${sessionIds}::uuid[])
      and (s.ended_at is not null or s.expires_at <= now() or u.status <> 'active')
  `.execute(db)
  return rows.map((row) => row.id)
}
