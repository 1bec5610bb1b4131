import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { BoundRole } from '../../schemas/account/bindings.js'
import { duplicateOf } from '../duplicates.js'
import type { Slice } from '../filters.js'
import type { Db } from '../index.js'
import type { AccountBindingTable } from './tables.js'

const rows = (db: Db, workspaceId: string) => db.selectFrom('account_binding as b')
  .select(['b.id', 'b.role', 'b.user_id', 'b.group_id', 'b.scope', 'b.scope_of', 'b.created_by', 'b.created_at'])
  .select(sql<string>`coalesce(
    (select u.name from account_user u where u.workspace_id = ${workspaceId} and u.id = b.user_id),
    (select g.name from account_group g where g.workspace_id = ${workspaceId} and g.id = b.group_id), '')`
    .as('subject_name'))
  .where('b.workspace_id', '=', workspaceId)

export interface BindingFilter { user_id?: string, group_id?: string }

export const listBindings = (db: Db, workspaceId: string, filter: BindingFilter, { before, limit }: Slice) =>
  rows(db, workspaceId)
    .$if(filter.user_id !== undefined, (query) => query.where('b.user_id', '=', String(filter.user_id)))
    .$if(filter.group_id !== undefined, (query) => query.where('b.group_id', '=', String(filter.group_id)))
    .$if(before !== undefined, (query) => query.where('b.id', '<', String(before)))
    .orderBy('b.id', 'desc').limit(limit).execute()

export const findBinding = (db: Db, workspaceId: string, id: string) =>
  rows(db, workspaceId).where('b.id', '=', id).executeTakeFirst()

export type BindingRow = NonNullable<Awaited<ReturnType<typeof findBinding>>>

export type NewBinding =
  Pick<AccountBindingTable, 'role' | 'user_id' | 'group_id' | 'scope' | 'scope_of' | 'created_by'>

const isTwiceOfUser = duplicateOf('account_binding_user')
const isTwiceOfGroup = duplicateOf('account_binding_group')

/** @returns whether an error says that the person or group has a role on this already */
export const isDuplicateBinding = (error: unknown): boolean => isTwiceOfUser(error) || isTwiceOfGroup(error)

/** @returns the new binding's id. @throws as isDuplicateBinding */
export const insertBinding = async (db: Db, workspaceId: string, binding: NewBinding): Promise<string> =>
  (await db.insertInto('account_binding').values({ ...binding, workspace_id: workspaceId, id: uuid() })
    .returning('id').executeTakeFirstOrThrow()).id

/** @returns whether there was one */
export const updateBinding = async (db: Db, workspaceId: string, id: string, role: BoundRole): Promise<boolean> =>
  await db.updateTable('account_binding').set({ role }).where('workspace_id', '=', workspaceId).where('id', '=', id)
    .returning('id').executeTakeFirst() !== undefined

/** @returns whether there was one */
export const deleteBinding = async (db: Db, workspaceId: string, id: string): Promise<boolean> =>
  await db.deleteFrom('account_binding').where('workspace_id', '=', workspaceId).where('id', '=', id)
    .returning('id').executeTakeFirst() !== undefined

/** Deletes what is bound to a cloud account that goes. */
export const deleteBindingsOn = (trx: Db, workspaceId: string, scope: 'cloud_account', of: string) =>
  trx.deleteFrom('account_binding').where('workspace_id', '=', workspaceId)
    .where('scope', '=', scope).where('scope_of', '=', of).execute()
