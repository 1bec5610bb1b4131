import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Scope } from '../../schemas/account/scopes.js'
import type { ApiToken } from '../../schemas/account/tokens.js'
import { now, setOnce } from '../clock.js'
import type { Slice } from '../filters.js'
import type { Db } from '../index.js'

const columns = ['id', 'user_id', 'name', 'prefix', 'scopes', 'assistant', 'expires_at', 'revoked_at', 'last_used_at',
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
    .returning(columns).executeTakeFirstOrThrow()

export const ownedBy = (userId: string | null) =>
  userId === null ? sql<boolean>`true` : sql<boolean>`user_id = ${userId}::uuid`

/** Those of connected assistants are none that a person made: see assistants.ts.
 * @param userId null = everybody's */
export const listTokens = (db: Db, workspaceId: string, userId: string | null, { before, limit }: Slice):
Promise<ApiToken[]> =>
  db.selectFrom('account_token').select(columns).where('workspace_id', '=', workspaceId)
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
