import { Type, type Static } from '@sinclair/typebox'
import { Role } from '../account/roles.js'
import { Name, User } from '../account/users.js'

export const InviteAccount = Type.Object({
  login: Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*$', examples: ['octocat'] }),
  role: Role,
  name: Type.Optional(Name)
}, { $id: 'InviteCodehostAccount', additionalProperties: false })
export type InviteAccount = Static<typeof InviteAccount>

export const InvitedAccount = Type.Object({
  user: User,
  account_id: Type.String({ description: 'The code host\'s numeric id: the invitation is for this account' }),
  login: Type.String()
}, { $id: 'InvitedCodehostAccount' })
