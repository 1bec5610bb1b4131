import { Type, type Static } from '@sinclair/typebox'
import { Id, PageQuery, Timestamp, page } from '../common.js'
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
