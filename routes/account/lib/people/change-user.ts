import {
  deleteGroup, findGroup, insertGroup, isDuplicateGroupName, setMembers, updateGroup, deleteBinding, findBinding,
  insertBinding, isDuplicateBinding, updateBinding, type BindingRow
} from '../../../../db/account/groups.js'
import { listNames } from '../../../../db/account/principals.js'
import { findProject } from '../../../../db/account/projects.js'
import { voidLinks, endSessionsOf } from '../../../../db/account/sessions.js'
import { findUser, hasActiveAdmin, updateUser } from '../../../../db/account/users.js'
import { lockWorkspace } from '../../../../db/account/workspace.js'
import type { Db } from '../../../../db/index.js'
import { findAccount } from '../../../../lib/aws/accounts.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type {
  CreateGroup, Group, UpdateGroup, Binding, BindingScope, BindingSubject, Bound, CreateBinding, UpdateBinding
} from '../../../../schemas/account/bindings.js'
import type { UpdateUser, User } from '../../../../schemas/account/users.js'
import { NotFound } from '../../../../schemas/errors.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { LastAdmin, requireUnscoped, GroupNameTaken, SubjectUnknown, BindingExists, BoundToNothing } from '../errors.js'

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

const whyBinding = 'A binding decides what a person may do without a limit of scopes'

/** @returns the scope as the API shows it */
export const toScope = ({ scope: kind, of }: Omit<Bound, 'role'>): BindingScope => {
  if (kind === 'workspace') return { kind }
  return kind === 'environment' ? { kind, name: of } : { kind, id: of }
}

export const describeBinding = (row: BindingRow): Binding => ({
  id: row.id,
  role: row.role,
  // One of both is set: the table's check.
  subject: row.user_id === null ? { kind: 'group', id: row.group_id ?? '' } : { kind: 'user', id: row.user_id },
  subject_name: row.subject_name,
  scope: toScope({ scope: row.scope, of: row.scope_of }),
  created_by: row.created_by,
  created_at: row.created_at
})

const requireSubject = async (db: Db, workspaceId: string, { kind, id }: BindingSubject): Promise<void> => {
  const found = await (kind === 'user' ? findUser(db, workspaceId, id) : findGroup(db, workspaceId, id))
  if (found) return
  const message = `is no ${kind === 'user' ? 'person' : 'group'} of this workspace`
  throw SubjectUnknown(undefined, { errors: [{ pointer: '/subject/id', code: 'subject_unknown', message }] })
}

/** An environment is a name: that no account has it yet is no mistake. */
const requireScope = async (db: Db, workspaceId: string, scope: BindingScope): Promise<void> => {
  if (scope.kind === 'workspace' || scope.kind === 'environment') return
  const found = await (scope.kind === 'project' ? findProject : findAccount)(db, workspaceId, scope.id)
  if (found) return
  const message = `is no ${scope.kind.replace('_', ' ')} of this workspace`
  throw BoundToNothing(undefined, { errors: [{ pointer: '/scope/id', code: 'bound_to_nothing', message }] })
}

const ofScope = (scope: BindingScope): string => {
  if (scope.kind === 'workspace') return ''
  return scope.kind === 'environment' ? scope.name : scope.id
}

/** @throws not_found */
export const readBinding = async (db: Db, workspaceId: string, id: string): Promise<Binding> => {
  const row = await findBinding(db, workspaceId, id)
  if (!row) throw NotFound()
  return describeBinding(row)
}

/** @throws insufficient_scope, subject_unknown, bound_to_nothing, binding_exists */
export const addBinding = async (db: Db, by: Principal, { role, subject, scope }: CreateBinding): Promise<Binding> => {
  requireUnscoped(by, whyBinding)
  const { workspace_id: workspaceId, user_id } = by
  await requireSubject(db, workspaceId, subject)
  await requireScope(db, workspaceId, scope)
  const id = await insertBinding(db, workspaceId, {
    role,
    user_id: subject.kind === 'user' ? subject.id : null,
    group_id: subject.kind === 'group' ? subject.id : null,
    scope: scope.kind,
    scope_of: ofScope(scope),
    created_by: user_id
  }).catch((error: unknown) => {
    throw isDuplicateBinding(error) ? BindingExists('Change the role of the binding that is there') : error
  })
  return readBinding(db, workspaceId, id)
}

/** @throws insufficient_scope, not_found */
export const changeBinding = async (db: Db, by: Principal, id: string, { role }: UpdateBinding): Promise<Binding> => {
  requireUnscoped(by, whyBinding)
  if (!await updateBinding(db, by.workspace_id, id, role)) throw NotFound()
  return readBinding(db, by.workspace_id, id)
}

/** @throws insufficient_scope, not_found */
export const removeBinding = async (db: Db, by: Principal, id: string): Promise<void> => {
  requireUnscoped(by, whyBinding)
  if (!await deleteBinding(db, by.workspace_id, id)) throw NotFound()
}

/** @throws insufficient_scope for a token with scopes that would change what a person may do */
export const requireMayChange = (by: Principal, { role, status }: UpdateUser): void => {
  if (role === undefined && status === undefined) return
  requireUnscoped(by, 'Role and status decide what a person may do without a limit of scopes')
}

/** Changes a user. A disabled one is out at once: no session, no link, and tokens are refused by the status. */
export const changeUser = (db: Db, workspaceId: string, id: string, change: UpdateUser, revisions?: number[]):
Promise<User> => db.transaction().execute(async (trx) => {
  await lockWorkspace(trx, workspaceId)
  const user = await updateUser(trx, workspaceId, id, change, revisions)
  if (!user) throw explainMiss(await findUser(trx, workspaceId, id))
  if (!await hasActiveAdmin(trx, workspaceId)) throw LastAdmin()
  if (user.status === 'disabled') {
    await endSessionsOf(trx, workspaceId, id)
    await voidLinks(trx, workspaceId, { user_id: id })
  }
  return user
})
