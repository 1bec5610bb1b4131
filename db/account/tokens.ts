import { sql, type Generated } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Scope } from '../../schemas/account/scopes.js'
import type { ApiToken } from '../../schemas/account/tokens.js'
import { now, setOnce, clock } from '../clock.js'
import type { Slice } from '../columns.js'
import type { Db } from '../index.js'
import type { NullableTime, Time } from '../types.js'

/** Lets a person approve for another until a time. */
export interface AccountDelegationTable {
  workspace_id: string
  id: string
  from_user_id: string
  to_user_id: string
  until: Time
  revoked_at: NullableTime
  created_at: Generated<Date>
}

declare module '../types.js' {
  interface Database { account_delegation: AccountDelegationTable }
}

const delegationColumns = ['id', 'from_user_id', 'to_user_id', 'until', 'revoked_at', 'created_at'] as const

export const insertDelegation = (db: Db, workspaceId: string, given: { from: string, to: string, until: string }) =>
  db.insertInto('account_delegation').values({
    workspace_id: workspaceId, id: uuid(), from_user_id: given.from, to_user_id: given.to, until: given.until
  }).returning(delegationColumns).executeTakeFirstOrThrow()

export type DelegationRow = Awaited<ReturnType<typeof insertDelegation>>

/** @param userId who has given or got them; null = everybody's */
export const listDelegations = (db: Db, workspaceId: string, userId: string | null, { before, limit }: Slice):
Promise<DelegationRow[]> =>
  db.selectFrom('account_delegation').select(delegationColumns).where('workspace_id', '=', workspaceId)
    .$if(userId !== null, (query) => query.where((eb) =>
      eb.or([eb('from_user_id', '=', String(userId)), eb('to_user_id', '=', String(userId))])))
    .$if(before !== undefined, (query) => query.where('id', '<', String(before)))
    .orderBy('id', 'desc').limit(limit).execute()

/** @returns how many delegations of the person hold now */
export const countDelegations = async (db: Db, workspaceId: string, from: string): Promise<number> =>
  (await db.selectFrom('account_delegation').select('id').where('workspace_id', '=', workspaceId)
    .where('from_user_id', '=', from).where('revoked_at', 'is', null).where('until', '>', clock).execute()).length

/** Ends a delegation; again is the same. @returns false when there is none of this person, or of anybody with null */
export const revokeDelegation = async (db: Db, workspaceId: string, from: string | null, id: string):
Promise<boolean> => {
  const found = db.selectFrom('account_delegation').select('id').where('workspace_id', '=', workspaceId)
    .where('id', '=', id).$if(from !== null, (query) => query.where('from_user_id', '=', String(from)))
  if (await found.executeTakeFirst() === undefined) return false
  await db.updateTable('account_delegation').set({ revoked_at: now }).where('workspace_id', '=', workspaceId)
    .where('id', '=', id).where('revoked_at', 'is', null).execute()
  return true
}

/** @returns the ids of those who have delegated to the person, by the database's clock */
export const listDelegators = async (db: Db, workspaceId: string, to: string): Promise<string[]> => {
  const rows = await db.selectFrom('account_delegation').select('from_user_id').distinct()
    .where('workspace_id', '=', workspaceId).where('to_user_id', '=', to)
    .where('revoked_at', 'is', null).where('until', '>', clock).orderBy('from_user_id').execute()
  return rows.map(({ from_user_id: id }) => id)
}

const tokenColumns = ['id', 'user_id', 'name', 'prefix', 'scopes', 'assistant', 'expires_at', 'revoked_at', 'last_used_at',
  'created_at'] as const

export interface NewToken {
  workspace_id: string
  user_id: string
  name: string
  hash: Buffer
  prefix: string
  scopes: Scope[]
  assistant: boolean
  let_in_by?: string | null
  expires_at: Date
}

export const insertToken = (db: Db, token: NewToken): Promise<ApiToken> =>
  db.insertInto('account_token').values({ ...token, id: uuid(), scopes: JSON.stringify(token.scopes) })
    .returning(tokenColumns).executeTakeFirstOrThrow()

export const ownedBy = (userId: string | null) =>
  userId === null ? sql<boolean>`true` : sql<boolean>`user_id = ${userId}::uuid`

/** Those of connected assistants are none that a person made: see assistants.ts.
 * @param userId null = everybody's */
export const listTokens = (db: Db, workspaceId: string, userId: string | null, { before, limit }: Slice):
Promise<ApiToken[]> =>
  db.selectFrom('account_token').select(tokenColumns).where('workspace_id', '=', workspaceId)
    .where('resource', 'is', null).where(ownedBy(userId))
    .$if(before !== undefined, (query) => query.where('id', '<', String(before)))
    .orderBy('id', 'desc').limit(limit).execute()

/** @param userId null = anybody's
 * @returns whether there is such a token; revoking it again changes nothing */
export const revokeToken = async (db: Db, workspaceId: string, userId: string | null, id: string): Promise<boolean> =>
  await db.updateTable('account_token').set({ revoked_at: setOnce('revoked_at', now) })
    .where('workspace_id', '=', workspaceId).where('id', '=', id)
    .where(ownedBy(userId))
    .returning('id').executeTakeFirst() !== undefined

/** @returns the database's time, and the expiry of the request's token */
export const findClock = (db: Db, workspaceId: string, tokenId: string | null) => {
  const token = db.selectFrom('account_token').select('expires_at')
    .where('workspace_id', '=', workspaceId).where('id', '=', tokenId)
  return db.selectNoFrom([now.as('now'), token.as('end')]).executeTakeFirstOrThrow()
}
