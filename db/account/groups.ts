import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Group } from '../../schemas/account/groups.js'
import { now } from '../clock.js'
import { next } from '../columns.js'
import { duplicateOf } from '../duplicates.js'
import { anyOf, type Slice } from '../filters.js'
import type { Db } from '../index.js'

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

const rows = (db: Db, workspaceId: string) => db.selectFrom('account_group as g')
  .select(['g.id', 'g.name', 'g.revision', 'g.created_at', 'g.updated_at'])
  .select(sql<Group['members']>`coalesce((
    select jsonb_agg(jsonb_build_object('user_id', u.id, 'name', u.name) order by u.name, u.id)
    from account_group_member m join account_user u on u.workspace_id = m.workspace_id and u.id = m.user_id
    where m.workspace_id = ${workspaceId} and m.group_id = g.id), '[]')`.as('members'))
  .where('g.workspace_id', '=', workspaceId)

export const listGroups = (db: Db, workspaceId: string, { before, limit }: Slice): Promise<Group[]> =>
  rows(db, workspaceId).$if(before !== undefined, (query) => query.where('g.id', '<', String(before)))
    .orderBy('g.id', 'desc').limit(limit).execute()

export const findGroup = (db: Db, workspaceId: string, id: string): Promise<Group | undefined> =>
  rows(db, workspaceId).where('g.id', '=', id).executeTakeFirst()

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
