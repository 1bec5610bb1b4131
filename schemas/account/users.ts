import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, PageQuery, Timestamp, Words, page } from '../common.js'
import { Revision } from '../revisions.js'

/** What a person may do, weakest first; `member` is the word of earlier releases for `approver`. */
export const roles = ['none', 'viewer', 'operator', 'member', 'approver', 'admin'] as const
export type Role = typeof roles[number]

/** A role reaches all whose rank is not higher than its own. */
export const ranks: Record<Role, number> = { none: 0, viewer: 1, operator: 2, member: 3, approver: 3, admin: 4 }

export const Role = Words(roles, {
  description: 'none < viewer < operator < approver < admin, in the whole workspace. member is an approver, too. ' +
    'Bindings add to it'
})

export const PersonName = Type.Object({ id: Id, name: Type.String() }, { $id: 'PersonName' })
export type PersonName = Static<typeof PersonName>

export const PersonNamePage = page(PersonName, 'PersonNamePage')

/** How a choice finds one of many. */
export const NameQuery = Type.String({ minLength: 1, maxLength: 100, description: 'In the name, whatever the case' })
export const ListPeople = Type.Object({ ...PageQuery, q: Type.Optional(NameQuery) })

export const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', description: 'Not blank' })
export const Status = Words(['active', 'disabled'])
export const Email = Type.String({ format: 'email', maxLength: 254 })

export const User = Type.Object({
  id: Id,
  name: Type.String(),
  email: Nullable(Type.String()),
  role: Role,
  status: Status,
  revision: Revision,
  first_sign_in_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp
}, { $id: 'User' })
export type User = Static<typeof User>

export const UserPage = page(User, 'UserPage')
export const ListUsers = Type.Object({ ...PageQuery, q: Type.Optional(NameQuery) })
export const UserParams = Type.Object({ user_id: Id })

export const CreateUser = Type.Object({ name: Name, email: Type.Optional(Email), role: Role },
  { $id: 'CreateUser', additionalProperties: false })
export type CreateUser = Static<typeof CreateUser>

export const UpdateUser = Type.Object({
  name: Type.Optional(Name),
  role: Type.Optional(Role),
  status: Type.Optional(Status)
}, { $id: 'UpdateUser', additionalProperties: false, minProperties: 1 })
export type UpdateUser = Static<typeof UpdateUser>

export const Link = Type.Object({
  url: Type.String({ description: 'Signs in once. Shown once; the token is in the fragment, which no server sees' }),
  expires_at: Timestamp
}, { $id: 'Link' })
export type Link = Static<typeof Link>

export const Invitation = Type.Object({ user: User, link: Link }, { $id: 'Invitation' })
