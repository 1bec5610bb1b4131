import { sql } from 'kysely'
import { anyOf, contains } from '../filters.js'
import type { Db } from '../index.js'
import { bindingsOf, withRights } from './rights.js'

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
