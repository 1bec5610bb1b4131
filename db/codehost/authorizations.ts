import type { Insertable } from 'kysely'
import { now, nowPlus } from '../clock.js'
import type { Db } from '../index.js'
import type { CodehostAuthorizationTable } from './tables.js'

/** How long a person may take on the code host's pages. */
export const authorizationSeconds = 600

type NewAuthorization = Omit<Insertable<CodehostAuthorizationTable>, 'expires_at' | 'created_at'>

/** Stores an authorization, and deletes the expired ones of its workspace. */
export const insertAuthorization = async (db: Db, authorization: NewAuthorization): Promise<void> => {
  await db.deleteFrom('codehost_authorization').where('workspace_id', '=', authorization.workspace_id)
    .where('expires_at', '<=', now).execute()
  await db.insertInto('codehost_authorization')
    .values({ ...authorization, expires_at: nowPlus(authorizationSeconds) })
    .execute()
}

/** Deletes the authorization. @returns it; undefined when it was used, is too old, or belongs to another browser */
export const takeAuthorization = (db: Db, workspaceId: string, stateHash: Buffer, bindingHash: Buffer) =>
  db.deleteFrom('codehost_authorization')
    .where('workspace_id', '=', workspaceId).where('state_hash', '=', stateHash)
    .where('binding_hash', '=', bindingHash).where('expires_at', '>', now)
    .returning(['mode', 'user_id', 'session_id', 'verifier', 'return_to']).executeTakeFirst()

export type AuthorizationRow = NonNullable<Awaited<ReturnType<typeof takeAuthorization>>>
