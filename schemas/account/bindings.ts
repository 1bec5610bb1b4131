import { Type, type Static } from '@sinclair/typebox'
import { Environment } from '../cloud/accounts.js'
import { Id, PageQuery, Timestamp, Words, page } from '../common.js'
import { Revision } from '../revisions.js'
import { Name } from './users.js'

const maxMembers = 500

export const GroupMember = Type.Object({ user_id: Id, name: Type.String() }, { $id: 'GroupMember' })

export const Group = Type.Object({
  id: Id,
  name: Type.String(),
  members: Type.Array(GroupMember, { description: 'By name, disabled people too' }),
  revision: Revision,
  created_at: Timestamp,
  updated_at: Timestamp
}, { $id: 'Group' })
export type Group = Static<typeof Group>

/** A group by what people know it by. */
export const GroupRef = Type.Object({ id: Id, name: Type.String() }, { $id: 'GroupRef' })

export const GroupPage = page(Group, 'GroupPage')
export const ListGroups = Type.Object(PageQuery)
export const GroupParams = Type.Object({ group_id: Id })

const MemberIds = Type.Array(Id, {
  maxItems: maxMembers, uniqueItems: true, description: 'All of them: who is not named is not in the group'
})

export const CreateGroup = Type.Object({ name: Name, member_ids: Type.Optional(MemberIds) },
  { $id: 'CreateGroup', additionalProperties: false })
export type CreateGroup = Static<typeof CreateGroup>

export const UpdateGroup = Type.Object({ name: Type.Optional(Name), member_ids: Type.Optional(MemberIds) },
  { $id: 'UpdateGroup', additionalProperties: false, minProperties: 1 })
export type UpdateGroup = Static<typeof UpdateGroup>

export const BoundRole = Words(['viewer', 'operator', 'approver', 'admin'], {
  description: 'viewer: reads. operator: proposes, and decides what is of low risk. approver: changes directly, and ' +
    'decides. admin: changes settings, too'
})
export type BoundRole = Static<typeof BoundRole>

export const BindingSubject = Type.Object({ kind: Words(['user', 'group']), id: Id },
  { $id: 'BindingSubject', additionalProperties: false })
export type BindingSubject = Static<typeof BindingSubject>

const closed = { additionalProperties: false }

export const WorkspaceScope = Type.Object({ kind: Type.Literal('workspace') }, { $id: 'WorkspaceScope', ...closed })
export const ProjectScope = Type.Object({ kind: Type.Literal('project'), id: Id }, { $id: 'ProjectScope', ...closed })
export const AccountScope = Type.Object({ kind: Type.Literal('cloud_account'), id: Id },
  { $id: 'AccountScope', ...closed })
export const EnvironmentScope = Type.Object({ kind: Type.Literal('environment'), name: Environment },
  { $id: 'EnvironmentScope', ...closed, description: 'All cloud accounts with this environment, as they are then' })

export const BindingScope = Type.Union([WorkspaceScope, ProjectScope, AccountScope, EnvironmentScope],
  { $id: 'BindingScope', discriminator: { propertyName: 'kind' } })
export type BindingScope = Static<typeof BindingScope>

export const Binding = Type.Object({
  id: Id,
  role: BoundRole,
  subject: BindingSubject,
  subject_name: Type.String({ description: 'Of the person or the group' }),
  scope: BindingScope,
  created_by: Id,
  created_at: Timestamp
}, { $id: 'Binding' })
export type Binding = Static<typeof Binding>

export const BindingPage = page(Binding, 'BindingPage')
export const ListBindings = Type.Object({
  ...PageQuery,
  user_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Those of this person, without those of groups' })),
  group_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Those of this group' }))
})
export type ListBindings = Static<typeof ListBindings>
export const BindingParams = Type.Object({ binding_id: Id })

export const CreateBinding = Type.Object({ role: BoundRole, subject: BindingSubject, scope: BindingScope },
  { $id: 'CreateBinding', additionalProperties: false })
export type CreateBinding = Static<typeof CreateBinding>

export const UpdateBinding = Type.Object({ role: BoundRole }, { $id: 'UpdateBinding', additionalProperties: false })
export type UpdateBinding = Static<typeof UpdateBinding>

/** A role on a part of the workspace, as a principal carries it: `of` is the id of what it is on, or its name. */
export interface Bound {
  role: BoundRole
  scope: BindingScope['kind']
  of: string
}

/** One right of a person, and by which group it is given. */
export const Right = Type.Object({ role: BoundRole, scope: BindingScope }, { $id: 'Right' })
export type Right = Static<typeof Right>
