import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, PageQuery, Timestamp, Words, page } from '../common.js'
import { allScopes, approvals, Scope } from './scopes.js'

export const resources = ['mcp', 'api'] as const
export type Resource = typeof resources[number]

const Resource = Words(resources, { description: 'Where its token is taken: `mcp` at `/mcp` alone, `api` by the API and at `/mcp`' })

/** What another program can be let do: all but deciding approvals. */
export const grantable: Scope[] = allScopes.filter((scope) => scope !== approvals)

/** What the command can be let do: to approve, too, where its person says so. */
export const commandScopes: Scope[] = [...grantable, approvals]

/** What a program is shown to ask for that names no scopes itself: to read. What it would propose, it asks for by name. */
export const usualScopes: Scope[] = grantable.filter((scope) => scope.endsWith(':read'))

export const ConnectedAssistant = Type.Object({
  id: Id,
  user_id: Id,
  name: Type.String({ description: 'As the program calls itself' }),
  client_id: Type.String(),
  client_host: Nullable(Type.String({
    description: 'The host whose document names the program; null = it registered itself, and anybody can'
  })),
  redirect_host: Nullable(Type.String({ description: 'Where its code was sent; null = you entered a code' })),
  resource: Resource,
  scopes: Type.Array(Scope),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
  expires_at: Timestamp
}, { $id: 'ConnectedAssistant', description: 'A program that a person let in; only the command line can hold `approvals:write`' })
export type ConnectedAssistant = Static<typeof ConnectedAssistant>

export const ConnectedAssistantPage = page(ConnectedAssistant, 'ConnectedAssistantPage')
export const ListConnectedAssistants = Type.Object({
  ...PageQuery,
  user_id: Type.Optional(Type.String({
    pattern: '^(all|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$',
    examples: ['all'],
    description: 'For admins: those of this user, or `all`. Default: your own'
  }))
})
export const ConnectedAssistantParams = Type.Object({ assistant_id: Id })

export const AuthorizationRequest = Type.Object({
  id: Type.String(),
  client: Type.Object({
    id: Type.String(),
    name: Type.String({ description: 'As the program calls itself' }),
    host: Nullable(Type.String({
      description: 'The host whose document names the program; null = nobody vouches for it'
    }))
  }),
  redirect: Type.Object({
    kind: Words(['web', 'computer', 'app', 'device'], {
      description: 'Where the answer goes: a web site, this computer, an app that has a scheme of its own, or the ' +
        'device that shows a code'
    }),
    host: Nullable(Type.String({ description: 'The host, or the scheme of an app' }))
  }),
  user_code: Nullable(Type.String({ description: 'What the device shows' })),
  resource: Resource,
  workspace: Type.String(),
  person: Type.String(),
  scopes: Type.Array(Scope, { description: 'What it asks for, without `approvals:write`' }),
  may_approve: Type.Boolean({
    description: 'Whether the command asks to approve in your name, and you have that right: it gets it only when ' +
      '`approvals:write` is among the scopes of your decision'
  }),
  expires_at: Timestamp
}, { $id: 'AuthorizationRequest', description: 'A program that asks to be let in' })
export type AuthorizationRequest = Static<typeof AuthorizationRequest>

export const AuthorizationRequestParams = Type.Object({
  request_id: Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9_-]+$', examples: ['AQIDBA'] })
})

export const DecideAuthorization = Type.Object({
  decision: Words(['allow', 'deny']),
  scopes: Type.Optional(Type.Array(Scope, {
    minItems: 1, maxItems: 32, uniqueItems: true, description: 'Of what it asks for, what it gets. Default: all but `approvals:write`'
  }))
}, { $id: 'DecideAuthorization', additionalProperties: false })
export type DecideAuthorization = Static<typeof DecideAuthorization>

export const DecidedAuthorization = Type.Object({
  continue_url: Type.String({ description: 'Where the browser goes on, to the program' })
}, { $id: 'DecidedAuthorization' })
