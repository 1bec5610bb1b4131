import { sql } from 'kysely'
import type { Resource } from '../../schemas/account/assistants.js'
import type { Bound } from '../../schemas/account/bindings.js'
import { ranks, type Role } from '../../schemas/account/users.js'
import { now, nowPlus } from '../clock.js'
import { anyOf, contains } from '../columns.js'
import type { Db } from '../index.js'
import { shaped } from '../shaped.js'

/** A role in the whole workspace, and more on parts of it; null = nothing more. */
export interface Rights {
  role: Role
  bindings: readonly Bound[] | null
}

/**
 * The bindings of a person, their own and those of their groups, as a column beside the person's row; null = none.
 * A workspace without bindings pays one look into an empty part of an index.
 */
const bindingsOf = (workspaceId: string, userColumn: string) => {
  const user = sql.ref(userColumn)
  return sql<readonly Bound[] | null>`(
    select jsonb_agg(distinct jsonb_build_object('role', b.role, 'scope', b.scope, 'of', b.scope_of))
    from account_binding b where b.workspace_id = ${workspaceId} and (b.user_id = ${user} or b.group_id in (
      select m.group_id from account_group_member m where m.workspace_id = ${workspaceId} and m.user_id = ${user})))`
}

const higher = (role: Role, { role: bound }: Bound): Role => ranks[bound] > ranks[role] ? bound : role

/** @returns the row with its rights: a binding on the workspace is a role in it */
const withRights = <Row extends Rights>(row: Row): Row => {
  const { bindings } = row
  if (bindings === null) return row
  const parts = bindings.filter(({ scope }) => scope !== 'workspace')
  const role = bindings.filter(({ scope }) => scope === 'workspace').reduce(higher, row.role)
  return { ...row, role, bindings: parts.length > 0 ? parts : null }
}

const selectPeople = (db: Db, workspaceId: string) =>
  db.selectFrom('account_user as u').select(['u.id', 'u.name', 'u.role', 'u.status'])
    .select(sql<string[]>`(select coalesce(json_agg(m.group_id), '[]'::json) from account_group_member m
      where m.workspace_id = ${workspaceId} and m.user_id = u.id)`.as('groups'))
    .select(bindingsOf(workspaceId, 'u.id').as('bindings'))
    .where('u.workspace_id', '=', workspaceId)

/** @returns people with the rights of now, each with the ids of their groups */
export const listApprovers = async (db: Db, workspaceId: string, ids: readonly string[]) =>
  (await selectPeople(db, workspaceId).where('u.id', '=', anyOf(ids)).execute()).map(withRights)

export type Approver = Awaited<ReturnType<typeof listApprovers>>[number]

/**
 * @param name what their names contain
 * @returns active people of one of the groups, or of the workspace where there are none
 */
export const listMembersOf = async (db: Db, workspaceId: string, groups: readonly string[], limit: number,
  name?: string): Promise<Approver[]> => {
  const inGroups = db.selectFrom('account_group_member as g').select('g.user_id')
    .where('g.workspace_id', '=', workspaceId).where('g.group_id', '=', anyOf(groups))
  const people = await selectPeople(db, workspaceId).where('u.status', '=', 'active')
    .$if(groups.length > 0, (query) => query.where('u.id', 'in', inGroups))
    .$if(name !== undefined, (query) => query.where(contains('u.name', name)))
    .orderBy('u.id').limit(limit).execute()
  return people.map(withRights)
}

/** @returns the groups' names by their ids; a group that is gone has none */
export const listGroupNames = async (db: Db, workspaceId: string, ids: readonly string[]):
Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('account_group').select(['id', 'name'])
    .where('workspace_id', '=', workspaceId).where('id', '=', anyOf(ids)).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export interface TokenOwner extends Rights {
  workspace_id: string
  token_id: string
  user_id: string
  name: string
  user_status: 'active' | 'disabled'
  scopes: string[]
  assistant: boolean
  resource: Resource | null
  revoked: boolean
  expired: boolean
  stale: boolean
}

interface OfWorkspace { workspaceId: string, hashes: readonly Buffer[] }

/** As they were asked for; the same hash may be asked for twice. */
const inOrder = <Row extends Rights & { hash: Buffer }>(hashes: readonly Buffer[], rows: readonly Row[]) => {
  const byHash = new Map(rows.map((row) => [row.hash.toString('hex'), withRights(row)]))
  return hashes.map((hash) => byHash.get(hash.toString('hex')))
}

const readTokens = shaped((db, { workspaceId, hashes }: OfWorkspace) =>
  db.selectFrom('account_token as token')
    .innerJoin('account_user as user', (join) => join
      .onRef('user.workspace_id', '=', 'token.workspace_id').onRef('user.id', '=', 'token.user_id'))
    .select(['token.hash', 'token.workspace_id', 'token.id as token_id', 'token.user_id', 'token.scopes',
      'token.assistant', 'token.resource', 'user.name', 'user.role', 'user.status as user_status'])
    .select(bindingsOf(workspaceId, 'token.user_id').as('bindings'))
    .select(sql<boolean>`token.revoked_at is not null`.as('revoked'))
    .select(sql<boolean>`least(token.expires_at, token.access_until) <= now()`.as('expired'))
    .select(sql<boolean>`coalesce(token.last_used_at < now() - interval '1 minute', true)`.as('stale'))
    .where('token.workspace_id', '=', workspaceId).where(sql<boolean>`token.hash = any(${hashes}::bytea[])`))

/** @returns the workspace's tokens with these hashes and their owners; `stale`: its last use is older than a minute */
export const listTokenOwners = async (db: Db, workspaceId: string, hashes: readonly Buffer[]):
Promise<(TokenOwner | undefined)[]> => inOrder(hashes, await readTokens(db, { workspaceId, hashes }))

export const touchTokens = (db: Db, workspaceId: string, ids: readonly string[]) =>
  db.updateTable('account_token').set({ last_used_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', anyOf(ids)).execute()

export interface SessionOwner extends Rights {
  workspace_id: string
  session_id: string
  user_id: string
  name: string
  user_status: 'active' | 'disabled'
  live: boolean
  /** Whether whoever vouched for it has to be asked again. */
  due: boolean
  stale: boolean
}

const readSessions = shaped((db, { workspaceId, hashes }: OfWorkspace) =>
  db.selectFrom('account_session as session')
    .innerJoin('account_user as user', (join) => join
      .onRef('user.workspace_id', '=', 'session.workspace_id').onRef('user.id', '=', 'session.user_id'))
    .select(['session.hash', 'session.workspace_id', 'session.id as session_id', 'session.user_id', 'user.name',
      'user.role', 'user.status as user_status'])
    .select(bindingsOf(workspaceId, 'session.user_id').as('bindings'))
    .select(sql<boolean>`session.ended_at is null and session.expires_at > now() and session.idle_expires_at > now()`
      .as('live'))
    .select(sql<boolean>`coalesce(session.check_at <= now(), false)`.as('due'))
    .select(sql<boolean>`session.last_used_at < now() - interval '1 minute'`.as('stale'))
    .where('session.workspace_id', '=', workspaceId).where(sql<boolean>`session.hash = any(${hashes}::bytea[])`))

/** @returns the workspace's browser sessions with these hashes and their owners */
export const listSessionOwners = async (db: Db, workspaceId: string, hashes: readonly Buffer[]):
Promise<(SessionOwner | undefined)[]> => inOrder(hashes, await readSessions(db, { workspaceId, hashes }))

/** Moves the idle expiry on; called at most once a minute for one session. */
export const touchSessions = (db: Db, workspaceId: string, ids: readonly string[], idleSeconds: number) =>
  db.updateTable('account_session')
    .set({ last_used_at: now, idle_expires_at: nowPlus(idleSeconds) })
    .where('workspace_id', '=', workspaceId).where('id', '=', anyOf(ids)).execute()

/** @returns the people's names by their ids */
export const listNames = async (db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> => {
  const rows = await db.selectFrom('account_user').select(['id', 'name'])
    .where('workspace_id', '=', workspaceId).where('id', '=', anyOf(ids)).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** @returns the person with the rights of now: they may have changed since a run began */
export const findPerson = async (db: Db, workspaceId: string, userId: string) => {
  const row = await db.selectFrom('account_user as user')
    .select(['user.id', 'user.name', 'user.role', 'user.status'])
    .select(bindingsOf(workspaceId, 'user.id').as('bindings'))
    .where('user.workspace_id', '=', workspaceId).where('user.id', '=', userId).executeTakeFirst()
  return row && withRights(row)
}

export type TokenStatus = 'active' | 'revoked' | 'expired'

/** @returns what a token of the workspace still allows; one that is not there counts as revoked */
export const findTokenStatus = async (db: Db, workspaceId: string, tokenId: string): Promise<TokenStatus> => {
  const token = await db.selectFrom('account_token')
    .select(['revoked_at', sql<boolean>`expires_at <= now()`.as('expired')])
    .where('workspace_id', '=', workspaceId).where('id', '=', tokenId).executeTakeFirst()
  if (!token || token.revoked_at !== null) return 'revoked'
  return token.expired ? 'expired' : 'active'
}

/** @returns of these tokens and browser sessions of a workspace, the ids of those that allow nothing any more */
export const listDeadCredentials = async (db: Db, workspaceId: string, tokenIds: string[], sessionIds: string[]):
Promise<string[]> => {
  if (tokenIds.length + sessionIds.length === 0) return []
  const tokens = db.selectFrom('account_token as t')
    .innerJoin('account_user as u', (join) => join
      .onRef('u.workspace_id', '=', 't.workspace_id').onRef('u.id', '=', 't.user_id'))
    .select('t.id').where('t.workspace_id', '=', workspaceId).where('t.id', '=', anyOf(tokenIds))
    .where('t.revoked_at', 'is', null).where('t.expires_at', '>', now).where('u.status', '=', 'active')
  const sessions = db.selectFrom('account_session as s')
    .innerJoin('account_user as u', (join) => join
      .onRef('u.workspace_id', '=', 's.workspace_id').onRef('u.id', '=', 's.user_id'))
    .select('s.id').where('s.workspace_id', '=', workspaceId).where('s.id', '=', anyOf(sessionIds))
    .where('s.ended_at', 'is', null).where('s.expires_at', '>', now).where('u.status', '=', 'active')
    // A stream asks nobody: the request that opens the next one does.
    .where(sql<boolean>`coalesce(s.check_at > now(), true)`)
  // Those that are gone, with their workspace, are in no row.
  const live = new Set((await tokens.unionAll(sessions).execute()).map(({ id }) => id))
  return [...tokenIds, ...sessionIds].filter((id) => !live.has(id))
}

/** @returns whether the API token has been revoked since; one that is gone counts as revoked */
export const isTokenRevoked = async (db: Db, workspaceId: string, id: string): Promise<boolean> => {
  const token = await db.selectFrom('account_token').select('revoked_at')
    .where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()
  return token === undefined || token.revoked_at !== null
}
