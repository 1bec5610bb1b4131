import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, Timestamp, Words } from '../common.js'
import { GroupRef } from './bindings.js'
import { Role } from './users.js'

export const Identity = Type.Object({
  id: Id,
  provider_id: Id,
  provider: Type.String({ description: 'The name of the provider' }),
  issuer: Type.String(),
  subject: Type.String({ description: 'Who the person is there, for good' }),
  email: Nullable(Type.String({ description: 'The verified address at the last sign-in' })),
  joined_by: Words(['rule', 'email', 'link'], {
    description: 'rule: became a person here by signing in; email: was found by a verified address; link: connected it'
  }),
  rule_role: Nullable(Role),
  groups: Type.Array(GroupRef, { description: 'Groups that the provider\'s rules gave' }),
  last_sign_in_at: Timestamp
}, { $id: 'Identity', description: 'Who a person of the workspace is at an identity provider' })
export type Identity = Static<typeof Identity>

export const Identities = Type.Object({ items: Type.Array(Identity) }, { $id: 'Identities' })
export const IdentityParams = Type.Object({ user_id: Id, identity_id: Id })

export const IdentityOffer = Type.Object({
  providers: Type.Array(Type.Object({ id: Id, name: Type.String({ description: 'What the button says' }) },
    { $id: 'OfferedProvider' }))
}, { $id: 'IdentityOffer' })

export const BeginIdentity = Type.Object({
  return_to: Type.Optional(Type.String({
    maxLength: 2000, description: 'A path of this site to go to afterwards, such as /setup'
  }))
})

export const ConnectIdentity = Type.Object({
  provider_id: Id,
  return_to: Type.Optional(Type.String({ maxLength: 2000, description: 'A path of this site to go to afterwards' }))
}, { $id: 'ConnectIdentity', additionalProperties: false })

export const Connecting = Type.Object({ url: Type.String({ description: 'Where the browser goes' }) },
  { $id: 'Connecting' })

export const EndIdentity = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 4000 })),
  state: Type.Optional(Type.String({ maxLength: 200 })),
  iss: Type.Optional(Type.String({ maxLength: 500, description: 'RFC 9207' })),
  error: Type.Optional(Type.String({ maxLength: 200 }))
}, { description: 'What the provider sends the browser with; it may say more' })
export type EndIdentity = Static<typeof EndIdentity>

export const LogoutParams = Type.Object({ workspace_id: Id, provider_id: Id })
export const LogoutForm = Type.Object({ logout_token: Type.String({ minLength: 1, maxLength: 16_000 }) },
  { $id: 'LogoutForm', additionalProperties: false, description: 'OpenID Connect Back-Channel Logout 1.0, 2.5' })
export type LogoutForm = Static<typeof LogoutForm>

export const SignedOut = Type.Object({
  url: Nullable(Type.String({ description: 'Where the browser goes to end its session at the provider, too' }))
}, { $id: 'SignedOut' })
