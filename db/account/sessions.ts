import { v7 as uuid } from 'uuid'
import { sql } from 'kysely'
import { now, nowPlus, setOnce } from '../clock.js'
import type { Slice } from '../columns.js'
import type { Db } from '../index.js'

export type LinkPurpose = 'bootstrap' | 'invitation'

interface NewLink {
  workspace_id: string
  user_id: string
  purpose: LinkPurpose
  hash: Buffer
  issued_by: string | null
}

/** @returns when the link expires, by the database's clock */
export const insertLink = async (db: Db, link: NewLink, seconds: number): Promise<Date> => {
  const made = await db.insertInto('account_link')
    .values({ ...link, id: uuid(), expires_at: nowPlus(seconds) })
    .returning('expires_at').executeTakeFirstOrThrow()
  return made.expires_at
}

export const findLink = (db: Db, workspaceId: string, hash: Buffer) =>
  db.selectFrom('account_link').select(['id', 'user_id', 'purpose', 'issued_by'])
    .select(sql<boolean>`used_at is not null`.as('used'))
    .select(sql<boolean>`expires_at <= now()`.as('expired'))
    .where('workspace_id', '=', workspaceId).where('hash', '=', hash).executeTakeFirst()

/** @returns whether this call is the one that used the link */
export const claimLink = async (db: Db, workspaceId: string, id: string): Promise<boolean> =>
  await db.updateTable('account_link').set({ used_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where('used_at', 'is', null)
    .returning('id').executeTakeFirst() !== undefined

/** Unused links of the user or purpose count as used from now on. */
export const voidLinks = (db: Db, workspaceId: string, which: { user_id: string } | { purpose: LinkPurpose }) =>
  db.updateTable('account_link').set({ used_at: now })
    .where('workspace_id', '=', workspaceId).where('used_at', 'is', null)
    .where((eb) => 'user_id' in which ? eb('user_id', '=', which.user_id) : eb('purpose', '=', which.purpose))
    .execute()

const columns = ['id', 'user_agent', 'created_at', 'last_used_at', 'idle_expires_at', 'expires_at'] as const

interface NewSession {
  workspace_id: string
  user_id: string
  hash: Buffer
  user_agent: string | null
  let_in_by: string | null
}

/** @returns the session's id */
export const insertSession = async (db: Db, session: NewSession, idleSeconds: number, seconds: number) => {
  const id = uuid()
  await db.insertInto('account_session').values({
    ...session,
    id,
    idle_expires_at: nowPlus(idleSeconds),
    expires_at: nowPlus(seconds)
  }).execute()
  return id
}

/** @returns the colleague by whose link whoever acts by this credential was let in; null = none */
export const findLetInBy = async (db: Db, workspaceId: string, via: string, id: string | null) => {
  if (id === null || via === 'assistant') return null
  const found = await db.selectFrom(via === 'browser' ? 'account_session' : 'account_token').select('let_in_by')
    .where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()
  return found?.let_in_by ?? null
}

/** @returns whether the person is signed in anywhere */
export const hasLiveSession = async (db: Db, workspaceId: string, userId: string): Promise<boolean> =>
  await db.selectFrom('account_session').select('id')
    .where('workspace_id', '=', workspaceId).where('user_id', '=', userId).where('ended_at', 'is', null)
    .where('expires_at', '>', now).where('idle_expires_at', '>', now).limit(1).executeTakeFirst() !== undefined

/** @returns the user's sessions that still work, newest first */
export const listSessions = (db: Db, workspaceId: string, userId: string, { before, limit }: Slice) =>
  db.selectFrom('account_session').select(columns)
    .where('workspace_id', '=', workspaceId).where('user_id', '=', userId).where('ended_at', 'is', null)
    .where('expires_at', '>', now).where('idle_expires_at', '>', now)
    .$if(before !== undefined, (query) => query.where('id', '<', String(before)))
    .orderBy('id', 'desc').limit(limit).execute()

/** @returns whether the user has, or had, this session */
export const endSession = async (db: Db, workspaceId: string, userId: string, id: string): Promise<boolean> =>
  await db.updateTable('account_session').set({ ended_at: setOnce('ended_at', now) })
    .where('workspace_id', '=', workspaceId).where('user_id', '=', userId).where('id', '=', id)
    .returning('id').executeTakeFirst() !== undefined

export const endSessionsOf = (db: Db, workspaceId: string, userId: string) =>
  db.updateTable('account_session').set({ ended_at: now })
    .where('workspace_id', '=', workspaceId).where('user_id', '=', userId).where('ended_at', 'is', null).execute()

/** Ends the session that a browser held before it signed in anew. */
export const endSessionByHash = (db: Db, workspaceId: string, hash: Buffer) =>
  db.updateTable('account_session').set({ ended_at: now })
    .where('workspace_id', '=', workspaceId).where('hash', '=', hash).where('ended_at', 'is', null).execute()
