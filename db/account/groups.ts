import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { BoundRole, Group } from '../../schemas/account/bindings.js'
import { now } from '../clock.js'
import { next, anyOf, type Slice } from '../columns.js'
import { duplicateOf } from '../connection-errors.js'
import type { Db } from '../index.js'
import type { AccountBindingTable } from './tables.js'

const bindingRows = (db: Db, workspaceId: string) => db.selectFrom('account_binding as b')
  .select(['b.id', 'b.role', 'b.user_id', 'b.group_id', 'b.scope', 'b.scope_of', 'b.created_by', 'b.created_at'])
  .select(sql<string>`coalesce(
    (select u.name from account_user u where u.workspace_id = ${workspaceId} and u.id = b.user_id),
    (select g.name from account_group g where g.workspace_id = ${workspaceId} and g.id = b.group_id), '')`
    .as('subject_name'))
  .where('b.workspace_id', '=', workspaceId)

export interface BindingFilter { user_id?: string, group_id?: string }

export const listBindings = (db: Db, workspaceId: string, filter: BindingFilter, { before, limit }: Slice) =>
  bindingRows(db, workspaceId)
    .$if(filter.user_id !== undefined, (query) => query.where('b.user_id', '=', String(filter.user_id)))
    .$if(filter.group_id !== undefined, (query) => query.where('b.group_id', '=', String(filter.group_id)))
    .$if(before !== undefined, (query) => query.where('b.id', '<', String(before)))
    .orderBy('b.id', 'desc').limit(limit).execute()

export const findBinding = (db: Db, workspaceId: string, id: string) =>
  bindingRows(db, workspaceId).where('b.id', '=', id).executeTakeFirst()

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

/** @returns the ids of the groups that the person is in */
export const findGroupIds = async (db: Db, workspaceId: string, userId: string): Promise<string[]> =>
  (await listGroupsOf(db, workspaceId, userId)).map(({ id }) => id)

/** @returns the groups that the person is in, with their names */
export const listGroupsOf = (db: Db, workspaceId: string, userId: string): Promise<{ id: string, name: string }[]> =>
  db.selectFrom('account_group_member as m')
    .innerJoin('account_group as g', (join) => join
      .onRef('g.workspace_id', '=', 'm.workspace_id').onRef('g.id', '=', 'm.group_id'))
    .select(['g.id', 'g.name'])
    .where('m.workspace_id', '=', workspaceId).where('m.user_id', '=', userId).orderBy('g.id').execute()

const groupRows = (db: Db, workspaceId: string) => db.selectFrom('account_group as g')
  .select(['g.id', 'g.name', 'g.revision', 'g.created_at', 'g.updated_at'])
  .select(sql<Group['members']>`coalesce((
    select jsonb_agg(jsonb_build_object('user_id', u.id, 'name', u.name) order by u.name, u.id)
    from account_group_member m join account_user u on u.workspace_id = m.workspace_id and u.id = m.user_id
    where m.workspace_id = ${workspaceId} and m.group_id = g.id), '[]')`.as('members'))
  .where('g.workspace_id', '=', workspaceId)

export const listGroups = (db: Db, workspaceId: string, { before, limit }: Slice): Promise<Group[]> =>
  groupRows(db, workspaceId).$if(before !== undefined, (query) => query.where('g.id', '<', String(before)))
    .orderBy('g.id', 'desc').limit(limit).execute()

export const findGroup = (db: Db, workspaceId: string, id: string): Promise<Group | undefined> =>
  groupRows(db, workspaceId).where('g.id', '=', id).executeTakeFirst()

/** @returns whether an error says that a group of the workspace has the name */
export const isDuplicateGroupName = duplicateOf('account_group_name')

/** @returns the new group's id. @throws as isDuplicateGroupName */
export const insertGroup = async (trx: Db, workspaceId: string, name: string): Promise<string> =>
  (await trx.insertInto('account_group').values({ workspace_id: workspaceId, id: uuid(), name })
    .returning('id').executeTakeFirstOrThrow()).id

/**
 * Changes the name, or only the revision; the group is locked until the transaction ends.
 * @returns whether there was one at one of these revisions. @throws as isDuplicateGroupName
 */
export const updateGroup = async (trx: Db, workspaceId: string, id: string, name: string | undefined,
  revisions?: number[]): Promise<boolean> => {
  const changed = await trx.updateTable('account_group')
    .set({ ...(name !== undefined && { name }), revision: next('revision'), updated_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id)
    .$if(revisions !== undefined, (query) => query.where('revision', '=', anyOf(revisions ?? [])))
    .returning('id').executeTakeFirst()
  return changed !== undefined
}

/** Makes these people the group's members, and nobody else. */
export const setMembers = async (trx: Db, workspaceId: string, id: string, userIds: readonly string[]) => {
  await trx.deleteFrom('account_group_member').where('workspace_id', '=', workspaceId).where('group_id', '=', id)
    .where(sql<boolean>`user_id <> all(${[...userIds]}::uuid[])`).execute()
  if (userIds.length === 0) return
  await trx.insertInto('account_group_member')
    .values(userIds.map((user_id) => ({ workspace_id: workspaceId, group_id: id, user_id })))
    .onConflict((conflict) => conflict.doNothing()).execute()
}

/** Deletes the group with its bindings. @returns whether there was one */
export const deleteGroup = async (db: Db, workspaceId: string, id: string): Promise<boolean> =>
  await db.deleteFrom('account_group').where('workspace_id', '=', workspaceId).where('id', '=', id)
    .returning('id').executeTakeFirst() !== undefined
