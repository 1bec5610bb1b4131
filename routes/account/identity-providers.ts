import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listProviders } from '../../db/account/identities.js'
import type { Access } from '../../lib/security/principal.js'
import {
  AddIdentityProvider, IdentityProvider, IdentityProviders, IdentityTest, ProviderParams, UpdateIdentityProvider
} from '../../schemas/account/identity-providers.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { IssuerTaken, SubjectUnknown, TooManyProviders } from './lib/errors.js'
import type { IdentityDeps } from './lib/identity/identity-attempt.js'
import {
  addProvider, changeProvider, removeProvider, requireProvider, showProvider, testProvider
} from './lib/identity/identity-providers.js'

const adminReads: Access = { scope: 'account:read', role: 'admin' }
const adminWrites: Access = { scope: 'account:write', role: 'admin' }
const refuses = { insufficient_scope: 'who vouches for people gives rights without a limit of scopes' }
const tags = ['account']

/** Whom the workspace believes about who people are. None of the writes is a tool: people decide this. */
const identityProviders = (deps: IdentityDeps): FastifyPluginAsyncTypebox => async (app) => {
  app.get('/identity-providers', {
    config: { access: adminReads },
    schema: {
      operationId: 'listIdentityProviders',
      summary: 'List the identity providers',
      description: 'For admins: the OpenID providers with which people sign in to this workspace, without secrets.',
      tags,
      response: { 200: IdentityProviders }
    }
  }, async ({ principal: { workspace_id: workspaceId } }) => {
    const providers = await listProviders(app.db, workspaceId)
    return { items: providers.map((one) => showProvider(one, app.workspaces.originOf(workspaceId))) }
  })

  app.get('/identity-providers/:provider_id', {
    config: { access: adminReads },
    schema: {
      operationId: 'getIdentityProvider',
      summary: 'Read an identity provider',
      description: 'For admins. The ETag is the provider\'s revision.',
      tags,
      params: ProviderParams,
      response: { 200: IdentityProvider }
    }
  }, async ({ principal: { workspace_id: workspaceId }, params }, reply) => {
    const provider = await requireProvider(app.db, workspaceId, params.provider_id)
    reply.header('etag', etag(provider.revision))
    return showProvider(provider, app.workspaces.originOf(workspaceId))
  })

  app.post('/identity-providers', {
    config: {
      encrypted: true,
      access: adminWrites,
      refuses,
      errors: [IssuerTaken, SubjectUnknown, TooManyProviders]
    },
    schema: {
      operationId: 'addIdentityProvider',
      summary: 'Add an identity provider',
      description: 'For admins, not through an API token with scopes. The answer has the addresses to register at ' +
        'the provider. Nothing is asked there: POST …/test does that.',
      tags,
      body: AddIdentityProvider,
      response: { 201: IdentityProvider }
    }
  }, async ({ principal, body }, reply) => {
    const provider = await addProvider(deps, principal, body)
    reply.code(201).header('location', `/account/identity-providers/${provider.id}`).header('etag', etag(1))
    return showProvider(provider, app.workspaces.originOf(principal.workspace_id))
  })

  app.patch('/identity-providers/:provider_id', {
    config: { access: adminWrites, refuses, errors: [StaleRevision, SubjectUnknown] },
    schema: {
      operationId: 'updateIdentityProvider',
      summary: 'Change an identity provider',
      description: 'For admins, not through an API token with scopes. Rules hold from the next sign-in or check of ' +
        'each person on. Switched off, its sessions end at once.',
      tags,
      params: ProviderParams,
      headers: IfMatch,
      body: UpdateIdentityProvider,
      response: { 200: IdentityProvider }
    }
  }, async ({ principal, params, headers, body }, reply) => {
    const provider = await changeProvider(deps, principal, params.provider_id, body, readIfMatch(headers['if-match']))
    reply.header('etag', etag(provider.revision))
    return showProvider(provider, app.workspaces.originOf(principal.workspace_id))
  })

  app.delete('/identity-providers/:provider_id', {
    config: { access: adminWrites, refuses },
    schema: {
      operationId: 'removeIdentityProvider',
      summary: 'Remove an identity provider',
      description: 'For admins, not through an API token with scopes. Its sessions end at once. People stay, with ' +
        'their roles and groups, and sign in another way.',
      tags,
      params: ProviderParams,
      response: { 204: Type.Null({ description: 'Removed' }) }
    }
  }, async ({ principal, params }, reply) => {
    await removeProvider(app.db, principal, params.provider_id)
    return reply.code(204).send(null)
  })

  app.post('/identity-providers/:provider_id/test', {
    config: { access: adminWrites, refuses },
    schema: {
      operationId: 'testIdentityProvider',
      summary: 'Test an identity provider',
      description: 'For admins: reads its document and keys, shows the client to it, and says in plain words what is ' +
        'wrong. Nobody is signed in and nothing is changed.',
      tags,
      params: ProviderParams,
      response: { 200: IdentityTest }
    }
  }, async ({ principal, params }) => testProvider(deps, principal,
    await requireProvider(app.db, principal.workspace_id, params.provider_id),
    app.workspaces.originOf(principal.workspace_id)))
}

export default identityProviders
