import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, Timestamp, Words } from '../common.js'
import { Revision } from '../revisions.js'
import { roles, Name } from './users.js'

const closed = { additionalProperties: false }

export const maxProviders = 20

export const IdentityRule = Type.Object({
  value: Type.String({
    minLength: 1, maxLength: 300, description: 'What the claim has: the name or id of a group there'
  }),
  role: Type.Optional(Words(roles, {
    description: 'The role in the whole workspace; the highest of all rules counts'
  })),
  group_id: Type.Optional(Type.String({ format: 'uuid', description: 'The group of this workspace' }))
}, {
  $id: 'ProviderRule',
  ...closed,
  description: 'What a person who is in a group there is here: a role, a group, or both'
})
export type IdentityRule = Static<typeof IdentityRule>

const settings = {
  name: Type.String({ ...Name, maxLength: 60, description: 'What the button of the sign-in page says' }),
  client_id: Type.String({ minLength: 1, maxLength: 300, pattern: '^[\\x21-\\x7e]+$', examples: ['steward'] }),
  scopes: Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,100}$', examples: ['openid'] }), {
    maxItems: 20, uniqueItems: true, description: 'Beside openid; by default profile and email'
  }),
  domains: Type.Array(Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{0,252}$', examples: ['example.com'] }), {
    maxItems: 50,
    uniqueItems: true,
    description: 'Whoever signs in needs a verified e-mail address of one of them; empty = whoever the provider knows'
  }),
  groups_claim: Nullable(Type.String({
    minLength: 1, maxLength: 200, description: 'The claim that rules look at, such as groups or realm_access.roles'
  })),
  rules: Type.Array(IdentityRule, { maxItems: 200 }),
  just_in_time: Type.Boolean({ description: 'Whether a person who is not known here becomes one by signing in' }),
  joins_by_email: Type.Boolean({
    description: 'Whether a verified address of one of the domains leads to the person here who has it'
  }),
  role: Words(roles, { description: 'Of people who became ones by signing in and fit no rule' }),
  check_minutes: Type.Integer({
    minimum: 1, maximum: 1_440, description: 'How old the provider\'s word on a session may be; by default 10'
  }),
  grace_minutes: Type.Integer({
    minimum: 0,
    maximum: 10_080,
    description: 'How long sessions go on while the provider does not answer; by default 60'
  }),
  enabled: Type.Boolean({ description: 'false: nobody signs in with it, and its sessions end' })
}

const secret = Nullable(Type.String({
  minLength: 1,
  maxLength: 1_000,
  pattern: '^[\\x20-\\x7e]+$',
  examples: ['a-secret-of-the-provider'],
  description: 'Write-only. null: a public client'
}))

export const IdentityProvider = Type.Object({
  id: Id,
  issuer: Type.String(),
  ...settings,
  has_secret: Type.Boolean(),
  callback_url: Type.String({ description: 'The redirect URI to register at the provider' }),
  logout_url: Type.String({ description: 'The back-channel logout URI to register at the provider' }),
  revision: Revision,
  created_at: Timestamp,
  updated_at: Timestamp
}, { $id: 'IdentityProvider' })
export type IdentityProvider = Static<typeof IdentityProvider>

export const IdentityProviders = Type.Object({ items: Type.Array(IdentityProvider) }, { $id: 'IdentityProviders' })

const { name, client_id, ...optional } = settings

export const AddIdentityProvider = Type.Object({
  issuer: Type.String({
    maxLength: 500,
    pattern: '^https?://[^\\s/?#@][^\\s?#@]*$',
    examples: ['https://login.example.com'],
    description: 'As its discovery document names it. Another issuer is another provider'
  }),
  name,
  client_id,
  secret: Type.Optional(secret),
  ...Type.Partial(Type.Object(optional)).properties
}, { $id: 'AddIdentityProvider', ...closed })
export type AddIdentityProvider = Static<typeof AddIdentityProvider>

export const UpdateIdentityProvider = Type.Partial(Type.Object({ name, client_id, secret, ...optional }),
  { $id: 'UpdateIdentityProvider', ...closed, minProperties: 1, description: 'What is not named stays' })
export type UpdateIdentityProvider = Static<typeof UpdateIdentityProvider>

export const ProviderParams = Type.Object({ provider_id: Id })

export const IdentityCheck = Type.Object({
  check: Words(['discovery', 'issuer', 'code', 'pkce', 'keys', 'clock', 'client', 'scopes', 'groups', 'sessions',
    'logout']),
  outcome: Words(['passed', 'warning', 'failed']),
  detail: Type.String({ description: 'In plain words' })
}, { $id: 'IdentityCheck' })
export type IdentityCheck = Static<typeof IdentityCheck>

export const IdentityTest = Type.Object({
  passed: Type.Boolean({ description: 'Whether no check failed' }),
  checks: Type.Array(IdentityCheck)
}, { $id: 'IdentityTest' })
export type IdentityTest = Static<typeof IdentityTest>
