import {
  deleteGroup, findGroup, insertGroup, isDuplicateGroupName, setMembers, updateGroup
} from '../../../../db/account/groups.js'
import { listNames } from '../../../../db/account/principals.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { CreateGroup, Group, UpdateGroup } from '../../../../schemas/account/groups.js'
import { NotFound } from '../../../../schemas/errors.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { GroupNameTaken, SubjectUnknown } from '../errors.js'
import { requireUnscoped } from '../require-unscoped.js'

const why = 'Who is in a group decides what a person may do without a limit of scopes'

const named = async <T>(write: Promise<T>): Promise<T> => {
  try {
    return await write
  } catch (error) {
    throw isDuplicateGroupName(error) ? GroupNameTaken() : error
  }
}

/** @throws subject_unknown */
const changeMembers = async (trx: Db, workspaceId: string, id: string, userIds: readonly string[] | undefined) => {
  if (!userIds) return
  const known = await listNames(trx, workspaceId, userIds)
  const errors = userIds.flatMap((userId, at) => known.has(userId)
    ? []
    : [{ pointer: `/member_ids/${at}`, code: 'subject_unknown', message: 'is no person of this workspace' }])
  if (errors.length > 0) throw SubjectUnknown(undefined, { errors })
  await setMembers(trx, workspaceId, id, userIds)
}

/** @throws not_found */
export const readGroup = async (db: Db, workspaceId: string, id: string): Promise<Group> => {
  const group = await findGroup(db, workspaceId, id)
  if (!group) throw NotFound()
  return group
}

/** @throws insufficient_scope, group_name_taken, subject_unknown */
export const addGroup = (db: Db, by: Principal, { name, member_ids }: CreateGroup): Promise<Group> => {
  requireUnscoped(by, why)
  return named(db.transaction().execute(async (trx) => {
    const id = await insertGroup(trx, by.workspace_id, name)
    await changeMembers(trx, by.workspace_id, id, member_ids)
    return readGroup(trx, by.workspace_id, id)
  }))
}

/** @throws insufficient_scope, not_found, stale_revision, group_name_taken, subject_unknown */
export const changeGroup = (db: Db, by: Principal, id: string, { name, member_ids }: UpdateGroup,
  revisions?: number[]): Promise<Group> => {
  requireUnscoped(by, why)
  return named(db.transaction().execute(async (trx) => {
    if (!await updateGroup(trx, by.workspace_id, id, name, revisions)) {
      throw explainMiss(await findGroup(trx, by.workspace_id, id))
    }
    await changeMembers(trx, by.workspace_id, id, member_ids)
    return readGroup(trx, by.workspace_id, id)
  }))
}

/** Deletes a group, and what is bound to it. @throws insufficient_scope, not_found */
export const removeGroup = async (db: Db, by: Principal, id: string): Promise<void> => {
  requireUnscoped(by, why)
  if (!await deleteGroup(db, by.workspace_id, id)) throw NotFound()
}
