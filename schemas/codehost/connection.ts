import { Type, type Static } from '@sinclair/typebox'
import { Role, Name, User } from '../account/users.js'
import { Nullable, Timestamp, Words } from '../common.js'

export const SignInOffer = Type.Object({
  available: Type.Boolean({ description: 'Whether a browser can sign in with the code host' }),
  name: Nullable(Type.String({ description: 'What a page calls it; null = there is none' })),
  sandboxed: Type.Boolean({ description: 'The sandbox answers; its users have no passwords' })
}, { $id: 'CodehostSignInOffer' })

export const BeginAuthorization = Type.Object({
  mode: Words(['login', 'link'], {
    default: 'login', description: 'login = sign in with the code host; link = connect whoever is signed in'
  }),
  return_to: Type.Optional(Type.String({
    maxLength: 2000, description: 'A path of this site to go to afterwards, such as /setup'
  }))
})
export type BeginAuthorization = Static<typeof BeginAuthorization>

export const ConnectCodehost = Type.Object({
  return_to: Type.Optional(Type.String({
    maxLength: 2000, description: 'A path of this site to go to afterwards, such as /settings/connections'
  }))
}, { $id: 'ConnectCodehost', additionalProperties: false })

export const ConnectingCodehost = Type.Object({ url: Type.String({ description: 'Where the browser goes' }) },
  { $id: 'ConnectingCodehost' })

export const EndAuthorization = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 2000 })),
  state: Type.Optional(Type.String({ maxLength: 200 })),
  error: Type.Optional(Type.String({ maxLength: 200 }))
}, { description: 'What the code host sends the browser with; it may say more' })
export type EndAuthorization = Static<typeof EndAuthorization>

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

export const Connection = Type.Object({
  account_id: Type.String({ description: 'The code host\'s numeric id of the person' }),
  login: Type.String(),
  host: Type.String({ description: 'The web address of the code host' }),
  scopes: Type.Array(Type.String(), { description: 'What the code host said it allows; a GitHub App has none' }),
  connected_at: Nullable(Timestamp)
}, { $id: 'CodehostConnection' })
export type Connection = Static<typeof Connection>

export const Disconnection = Type.Object({
  account_id: Type.String(),
  login: Type.String(),
  revoked_upstream: Type.Boolean({
    description: 'false = nothing is kept here any more, but the code host did not confirm that it ended the token'
  }),
  revoke_url: Nullable(Type.String({ description: 'Where the person can end it there, when that is still to do' }))
}, { $id: 'CodehostDisconnection' })
export type Disconnection = Static<typeof Disconnection>
