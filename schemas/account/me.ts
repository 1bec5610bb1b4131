import { Type, type Static } from '@sinclair/typebox'
import { Nullable, Words } from '../common.js'
import { Right, GroupRef } from './bindings.js'
import { Role, Name, User } from './users.js'
import { Scope } from './scopes.js'
import { Workspace } from './workspace.js'

export const Me = Type.Object({
  user: User,
  workspace: Workspace,
  via: Words(['browser', 'token', 'assistant']),
  assistant: Type.Boolean({
    description: 'The credential is marked for an assistant: it reads, chats and proposes. It decides approvals only ' +
      'where `scopes` has `approvals:write`, which a person gives the command line at its sign-in'
  }),
  scopes: Nullable(Type.Array(Scope, { description: 'null = everything that the role allows' })),
  role: Role,
  rights: Type.Array(Right, { description: 'Roles on parts of the workspace beside it, yours and of your groups' }),
  groups: Type.Array(GroupRef)
}, { $id: 'Me' })
export type Me = Static<typeof Me>

export const UpdateMe = Type.Object({ name: Name }, { $id: 'UpdateMe', additionalProperties: false })
