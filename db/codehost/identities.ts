import { v7 as uuid } from 'uuid'
import { now } from '../clock.js'
import type { Db } from '../index.js'
import type { Role } from '../types.js'
import type { CodehostIdentityTable } from './tables.js'

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
