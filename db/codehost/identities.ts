import { v7 as uuid } from 'uuid'
import type { Insertable } from 'kysely'
import { now, nowPlus } from '../clock.js'
import type { Db } from '../index.js'
import type { Role } from '../types.js'
import type { CodehostIdentityTable, CodehostAuthorizationTable, CodehostOrganisationTable } from './tables.js'

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

export type PinnedOrganisation = Pick<CodehostOrganisationTable, 'workspace_id' | 'host' | 'login' | 'organisation_id'>

/**
 * Pins the id under which an organisation is first seen.
 * @returns the pinned id, and whether this call pinned it
 */
export const pinOrganisation = async (db: Db, { login, ...found }: PinnedOrganisation) => {
  const row = { ...found, login: login.toLowerCase() }
  const made = await db.insertInto('codehost_organisation').values(row)
    .onConflict((conflict) => conflict.doNothing()).returning('organisation_id').executeTakeFirst()
  if (made) return { organisation_id: made.organisation_id, isNew: true }
  const { organisation_id } = await db.selectFrom('codehost_organisation').select('organisation_id')
    .where('workspace_id', '=', row.workspace_id).where('host', '=', row.host).where('login', '=', row.login)
    .executeTakeFirstOrThrow()
  return { organisation_id, isNew: false }
}

export type NewIdentity = Pick<CodehostIdentityTable,
  'workspace_id' | 'user_id' | 'host' | 'account_id' | 'login' | 'joined_by'> & { rule_role?: Role }

/** @returns the row's id; undefined where the user, or the code host's account, has a row already */
export const insertIdentity = async (db: Db, identity: NewIdentity): Promise<string | undefined> => {
  const made = await db.insertInto('codehost_identity').values({ ...identity, id: uuid(), state: 'disconnected' })
    .onConflict((conflict) => conflict.doNothing()).returning('id').executeTakeFirst()
  return made?.id
}

const columns = ['id', 'user_id', 'account_id', 'login', 'state', 'joined_by', 'rule_role'] as const

/** @returns the identity that an account of the code host belongs to */
export const findByAccount = (db: Db, workspaceId: string, host: string, accountId: string) =>
  db.selectFrom('codehost_identity').select(columns)
    .where('workspace_id', '=', workspaceId).where('host', '=', host).where('account_id', '=', accountId)
    .executeTakeFirst()

export type IdentityRow = NonNullable<Awaited<ReturnType<typeof findByAccount>>>

/** An account's login and the role that the rules give may change; its id never does. */
export const updateIdentity = async (db: Db, workspaceId: string, id: string,
  change: { login: string, rule_role?: Role }): Promise<void> => {
  await db.updateTable('codehost_identity').set({ ...change, updated_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

export const listIdentities = (db: Db, workspaceId: string, host: string): Promise<IdentityRow[]> =>
  db.selectFrom('codehost_identity').select(columns)
    .where('workspace_id', '=', workspaceId).where('host', '=', host).orderBy('id').execute()
