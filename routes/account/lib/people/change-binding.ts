import {
  deleteBinding, findBinding, insertBinding, isDuplicateBinding, updateBinding, type BindingRow
} from '../../../../db/account/bindings.js'
import { findGroup } from '../../../../db/account/groups.js'
import { findProject } from '../../../../db/account/projects.js'
import { findUser } from '../../../../db/account/users.js'
import type { Db } from '../../../../db/index.js'
import { findAccount } from '../../../../lib/aws/accounts.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type {
  Binding, BindingScope, BindingSubject, Bound, CreateBinding, UpdateBinding
} from '../../../../schemas/account/bindings.js'
import { NotFound } from '../../../../schemas/errors.js'
import { BindingExists, BoundToNothing, SubjectUnknown } from '../errors.js'
import { requireUnscoped } from '../require-unscoped.js'

const why = 'A binding decides what a person may do without a limit of scopes'

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
  requireUnscoped(by, why)
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
  requireUnscoped(by, why)
  if (!await updateBinding(db, by.workspace_id, id, role)) throw NotFound()
  return readBinding(db, by.workspace_id, id)
}

/** @throws insufficient_scope, not_found */
export const removeBinding = async (db: Db, by: Principal, id: string): Promise<void> => {
  requireUnscoped(by, why)
  if (!await deleteBinding(db, by.workspace_id, id)) throw NotFound()
}
